import { expect, it } from "vitest";
import { attributesOfLink, emptyLink, linkFaults } from "./payment-link-values.ts";

/* The dialog of a payment link: what of its fields is sent. */

const chosen = { ...emptyLink, name: " Donation ", amount_type: "chosen", amount: "40" };

it("sends the amounts of the chosen type, and clears the others", () => {
  expect(attributesOfLink({ ...chosen, amount_min: "5,50" })).toMatchObject({
    name: "Donation",
    amount: null,
    amount_min: "5.50",
    amount_max: null,
  });
  expect(attributesOfLink({ ...chosen, amount_type: "open" })).toMatchObject({
    amount: null,
    amount_min: null,
  });
});

it("sends the stock as a number, the end in UTC, and empty fields as null", () => {
  const sent = attributesOfLink({ ...chosen, stock: "12", ends_at: "2026-12-31T23:59" });
  expect(sent).toMatchObject({ stock: 12, description: null, image: null });
  expect(sent.ends_at).toBe(new Date("2026-12-31T23:59").toISOString());
  expect(attributesOfLink(chosen)).toMatchObject({ stock: null, ends_at: null });
});

it("asks for the price of a fixed amount, and for no other", () => {
  expect(linkFaults({ ...emptyLink, amount: " " })).toEqual({ amount: "Enter a price." });
  expect(linkFaults({ ...emptyLink, amount: "40" })).toEqual({});
  expect(linkFaults({ ...emptyLink, amount_type: "chosen" })).toEqual({});
  expect(linkFaults({ ...emptyLink, amount_type: "open" })).toEqual({});
});
