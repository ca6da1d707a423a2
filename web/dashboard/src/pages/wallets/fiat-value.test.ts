import { describe, expect, it } from "vitest";
import { fiatTotal, fiatValue } from "./fiat-value.ts";

const prices = new Map([
  ["1000", { bid: "61000.12345678", isStale: false }],
  ["1002", { bid: "2500", isStale: true }],
]);

describe("fiatValue", () => {
  it("multiplies the balance by the bid and rounds down", () => {
    expect(fiatValue("0.10000000", "1000", "840", prices)).toEqual({
      amount: "6100.01",
      isStale: false,
      isExact: false,
    });
  });

  it("marks stale prices, returns null without a price, and needs none for the fiat currency", () => {
    expect(fiatValue("1", "1002", "840", prices)).toEqual({
      amount: "2500.00",
      isStale: true,
      isExact: false,
    });
    expect(fiatValue("1", "1003", "840", prices)).toBeNull();
    expect(fiatValue("12.34", "840", "840", prices)).toEqual({
      amount: "12.34",
      isStale: false,
      isExact: true,
    });
  });
});

describe("fiatTotal", () => {
  it("is exact if every value is", () => {
    const dollars = { amount: "1.10", isStale: false, isExact: true };
    expect(fiatTotal([dollars, dollars])).toMatchObject({ amount: "2.20", isExact: true });
    expect(fiatTotal([dollars, { ...dollars, isExact: false }]).isExact).toBe(false);
  });

  it("sums priced values and counts unpriced ones", () => {
    expect(
      fiatTotal([
        { amount: "1.10", isStale: false, isExact: true },
        null,
        { amount: "2.05", isStale: true, isExact: false },
      ]),
    ).toEqual({
      amount: "3.15",
      isStale: true,
      isExact: false,
      unpriced: 1,
    });
  });
});
