import { expect, test } from "vitest";
import { emptyRequest, requestOf } from "./deposit-request.ts";

test("an invoice carries what was filled in, and leaves the currency to the payer", () => {
  const values = {
    ...emptyRequest,
    wallet: "7",
    target_amount_requested: " 25.50 ",
    label: "Chairs",
  };
  expect(requestOf(values, true, "840")).toEqual({
    attributes: { target_amount_requested: "25.50", label: "Chairs", time_limit: 3600 },
    relationships: { wallet: { type: "wallet", id: "7" } },
  });
});

test("a deposit of another wallet is paid in its currency, and has nothing of an invoice", () => {
  const values = {
    ...emptyRequest,
    wallet: "8",
    currency: "1002",
    inaccuracy: "1",
    confirmations_needed: "2",
  };
  expect(requestOf(values, false, "1000")).toEqual({
    attributes: { confirmations_needed: 2 },
    relationships: {
      wallet: { type: "wallet", id: "8" },
      currency: { type: "currency", id: "1000" },
    },
  });
});

test("what is no number is left for the service to refuse at its field", () => {
  const values = { ...emptyRequest, wallet: "8", confirmations_needed: "two" };
  expect(requestOf(values, false, "1000").attributes).toEqual({ confirmations_needed: "two" });
});
