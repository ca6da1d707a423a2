import { describe, expect, it } from "vitest";
import { emptyRequest, requestOf } from "./deposit-request.ts";

describe("requestOf", () => {
  it("sends only filled-in fields and leaves the currency of an invoice to the payer", () => {
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

  it("uses the wallet's currency and omits invoice fields for other wallet types", () => {
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

  it("accepts a decimal comma in amounts", () => {
    const values = { ...emptyRequest, wallet: "7", target_amount_requested: "12,50" };
    expect(requestOf(values, true, "840").attributes).toMatchObject({
      target_amount_requested: "12.50",
    });
  });

  it("sends an invalid number unchanged, so that the service reports it at its field", () => {
    const values = { ...emptyRequest, wallet: "8", confirmations_needed: "two" };
    expect(requestOf(values, false, "1000").attributes).toEqual({ confirmations_needed: "two" });
  });
});
