import { describe, expect, it } from "vitest";
import { withMargin } from "./margin.ts";

describe("withMargin", () => {
  it("subtracts the margin from the bid, rounded down, and adds it to the ask, rounded up", () => {
    expect(withMargin({ bid: 250_000_000_001n, ask: 250_100_000_001n, exp: 8 }, 2_500n)).toEqual({
      bid: 249_375_000_000n,
      ask: 250_725_250_002n,
      exp: 8,
    });
  });

  it("gives a rate of exactly 1 the decimals that the margin needs", () => {
    expect(withMargin({ bid: 1n, ask: 1n, exp: 0 }, 100n)).toEqual({
      bid: 99_990_000n,
      ask: 100_010_000n,
      exp: 8,
    });
  });

  it("returns the rate unchanged without a margin", () => {
    const rate = { bid: 1n, ask: 1n, exp: 0 };
    expect(withMargin(rate, 0n)).toBe(rate);
  });
});
