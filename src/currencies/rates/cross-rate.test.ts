import { describe, expect, it } from "vitest";
import { fc } from "../../../test/support/property.ts";
import { formatDecimal, parseDecimal } from "../../platform/kernel/decimal.ts";
import { askSide, bidSide, crossRate } from "./cross-rate.ts";
import type { Quote } from "./quote.ts";

function quote(bid: string, ask: string): Quote {
  const [low, high] = [bid, ask].map((text) => parseDecimal(text, 18));
  if (low?.kind !== "units" || high?.kind !== "units") throw new Error(`${bid} ${ask}`);
  return { bid: low.units, ask: high.units };
}

function shown(left: Quote, right: Quote): string | null {
  const rate = crossRate(left, right);
  return rate === null
    ? null
    : `${formatDecimal(rate.bid, rate.exp)}/${formatDecimal(rate.ask, rate.exp)}`;
}

const dollar = quote("1", "1");

describe("the sides of a rate", () => {
  it("are the bid for credits and the ask for charges", () => {
    const rate = { bid: 5n, ask: 7n, exp: 2 };
    expect(bidSide(rate)).toEqual({ units: 5n, exp: 2 });
    expect(askSide(rate)).toEqual({ units: 7n, exp: 2 });
  });
});

describe("crossRate", () => {
  it.each<[string, Quote, Quote, string | null]>([
    ["a coin in dollars", quote("67263.1", "67263.2"), dollar, "67263.10000000/67263.20000000"],
    ["bid over ask, ask over bid", quote("3", "3"), quote("2", "2.1"), "1.42857142/1.50000000"],
    ["as many digits as needed", dollar, quote("67000", "67000"), "0.000014925373/0.000014925374"],
    [
      "a rate of very few significant digits",
      quote("0.000000000001", "1"),
      quote("1", "1000000000"),
      "0.0000000000000000000010000000/1.0000000000000000000000000000",
    ],
  ])("computes %s", (_, left, right, expected) => {
    expect(shown(left, right)).toBe(expected);
  });

  it("never exceeds bid over ask, has at least eight significant digits, and is off by less than 10^-7", () => {
    const price = fc.bigInt({ min: 10n ** 6n, max: 10n ** 27n });
    fc.assert(
      fc.property(price, price, (left, right) => {
        const rate = crossRate({ bid: left, ask: left }, { bid: right, ask: right });
        if (rate === null) throw new Error("within bounds every pair has a rate");
        const { units, exp } = bidSide(rate);
        const scale = 10n ** BigInt(exp);
        expect(units * right <= left * scale).toBe(true);
        expect((units + 1n) * right > left * scale).toBe(true);
        expect(units).toBeGreaterThanOrEqual(10n ** 7n);
        expect(rate.ask - rate.bid).toBeLessThanOrEqual(1n);
      }),
    );
  });

  it("uses up to 36 decimals, and returns null for a price that needs more", () => {
    expect(crossRate({ bid: 1n, ask: 1n }, { bid: 10n ** 29n, ask: 10n ** 29n })).toEqual({
      bid: 10n ** 7n,
      ask: 10n ** 7n,
      exp: 36,
    });
    expect(crossRate({ bid: 1n, ask: 1n }, { bid: 10n ** 30n, ask: 10n ** 30n })).toBeNull();
    expect(crossRate({ bid: 1n, ask: 1n }, { bid: 10n ** 40n, ask: 10n ** 40n })).toBeNull();
  });
});
