import type { Rate } from "../../platform/kernel/rate.ts";
import { divide } from "../../platform/kernel/rounding.ts";
import type { Quote } from "./quote.ts";

/** Bid and ask of the left currency in the right one, in units of 10^-`exp`. */
export type CrossRate = { readonly bid: bigint; readonly ask: bigint; readonly exp: number };

/** Every rate has between `expMin` and `expMax` decimals. */
const expMin = 8;
const expMax = 36;
/** The smallest bid with eight significant digits. */
const unitsMin = 10n ** 7n;

/**
 * Computes the price of left in right from their dollar prices: bid over ask, rounded down, and ask over bid, rounded
 * up. The rate has eight decimals, or as many more as the bid needs for eight significant digits, so rounding costs
 * less than a ten-millionth. Null if 36 decimals are not enough.
 */
export function crossRate(left: Quote, right: Quote): CrossRate | null {
  for (let exp = expMin; exp <= expMax; exp += 1) {
    const scale = 10n ** BigInt(exp);
    const bid = divide(left.bid * scale, right.ask, "down");
    if (bid >= unitsMin) return { bid, ask: divide(left.ask * scale, right.bid, "up"), exp };
  }
  return null;
}

/** The rate at which the service credits a wallet. */
export function bidSide(rate: CrossRate): Rate {
  return { units: rate.bid, exp: rate.exp };
}

/** The rate at which the service charges a wallet. */
export function askSide(rate: CrossRate): Rate {
  return { units: rate.ask, exp: rate.exp };
}
