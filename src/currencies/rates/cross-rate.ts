import type { Rate } from "../../platform/kernel/rate.ts";
import { divide } from "../../platform/kernel/rounding.ts";
import type { Quote } from "./quote.ts";

/** Bid and ask of the left in the right, both in units of 10^-`exp`. */
export type CrossRate = { readonly bid: bigint; readonly ask: bigint; readonly exp: number };

/** Digits after the point that every rate has, and at most has. */
const expMin = 8;
const expMax = 36;
/** Smallest bid with eight significant digits. */
const unitsMin = 10n ** 7n;

/**
 * The price of the left in the right from the dollar prices of both: bid over ask, rounded down, and ask over bid, rounded
 * up. It has eight digits after the point, or as many more as leave at least eight significant ones in the bid, so that rounding costs
 * less than a ten-millionth. Null for a price too small to be told with 36 digits.
 */
export function crossRate(left: Quote, right: Quote): CrossRate | null {
  for (let exp = expMin; exp <= expMax; exp += 1) {
    const scale = 10n ** BigInt(exp);
    const bid = divide(left.bid * scale, right.ask, "down");
    if (bid >= unitsMin) return { bid, ask: divide(left.ask * scale, right.bid, "up"), exp };
  }
  return null;
}

/** What the service gives for the left: the side at which a wallet is credited. */
export function bidSide(rate: CrossRate): Rate {
  return { units: rate.bid, exp: rate.exp };
}

/** What the service takes for the left: the side at which a wallet is charged. */
export function askSide(rate: CrossRate): Rate {
  return { units: rate.ask, exp: rate.exp };
}
