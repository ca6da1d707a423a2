import { describe, expect, it } from "vitest";
import { storePatchOf, storeValuesOf } from "./store-values.ts";

/* The store form: nulls are empty fields, and only what was changed is sent. */

const settings = {
  shop_name: "Blue Teapot",
  help_email: null,
  logo: null,
  accent_color: null,
  accent_color_dark: null,
  frame_ancestors: ["https://a.example", "https://b.example"],
  shows_order_reference: true,
  shows_receipt: true,
  receipt_note: null,
  payment_page_redirect_url: null,
  payment_page_button_text: null,
  underpayment_percent: "0.5",
  underpayment_amount: null,
  overpayment_percent: null,
  overpayment_amount: null,
  tolerance_currency: null,
  time_limit: 900,
  payout_batch_seconds: 0,
  fiat_currency: "840",
  callback_url: null,
};

describe("the store form", () => {
  it("sends nothing that was not changed", () => {
    const before = storeValuesOf(settings);
    expect(before).toMatchObject({ shop_name: "Blue Teapot", help_email: "", time_limit: "900" });
    expect(storePatchOf(before, { ...before })).toEqual({});
  });

  it("sends origins as a list, decimals with a point, numbers as numbers, and null for empty fields", () => {
    const before = storeValuesOf(settings);
    expect(
      storePatchOf(before, {
        ...before,
        shop_name: " ",
        frame_ancestors: "https://a.example\n\n https://c.example/ ",
        underpayment_percent: "0,75",
        time_limit: "1800",
        accent_color: "#0B4F8A",
        shows_receipt: false,
      }),
    ).toEqual({
      shop_name: null,
      frame_ancestors: ["https://a.example", "https://c.example"],
      underpayment_percent: "0.75",
      time_limit: 1800,
      accent_color: "#0b4f8a",
      shows_receipt: false,
    });
  });

  it("leaves a time limit that is no number to the service to refuse", () => {
    const before = storeValuesOf(settings);
    expect(storePatchOf(before, { ...before, time_limit: "soon" })).toEqual({ time_limit: "soon" });
  });
});
