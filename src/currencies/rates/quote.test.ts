import { describe, expect, it } from "vitest";
import { hasNarrowSpread, isPlausible, parseQuote } from "./quote.ts";

const dollar = 10n ** 18n;

describe("parseQuote", () => {
  it("reads prices below 10^15 dollars, in texts of up to 60 characters", () => {
    const long = `1.${"0".repeat(58)}`;
    expect(parseQuote(long, long)).toEqual({ bid: dollar, ask: dollar });
    expect(parseQuote(`${long}0`, "1")).toBeNull();
    const below = "999999999999999";
    expect(parseQuote(below, below)?.bid).toBe((10n ** 15n - 1n) * dollar);
    expect(parseQuote("1", "1000000000000000")).toBeNull();
    expect(parseQuote("0", "1")).toBeNull();
  });
});

describe("isPlausible", () => {
  it("accepts prices from 10^-12 to 10^9 dollars, the bounds included", () => {
    expect(isPlausible({ bid: 10n ** 6n, ask: 10n ** 6n })).toBe(true);
    expect(isPlausible({ bid: 10n ** 6n - 1n, ask: 10n ** 6n })).toBe(false);
    expect(isPlausible({ bid: 10n ** 27n, ask: 10n ** 27n })).toBe(true);
    expect(isPlausible({ bid: 10n ** 27n, ask: 10n ** 27n + 1n })).toBe(false);
  });

  it("refuses an ask below the bid", () => {
    expect(isPlausible({ bid: dollar, ask: dollar - 1n })).toBe(false);
  });
});

describe("hasNarrowSpread", () => {
  it("accepts an ask up to a tenth above the bid", () => {
    expect(hasNarrowSpread({ bid: 10n * dollar, ask: 11n * dollar })).toBe(true);
    expect(hasNarrowSpread({ bid: 10n * dollar, ask: 11n * dollar + 1n })).toBe(false);
  });
});
