import { divide } from "../../platform/kernel/rounding.ts";
import type { Currency } from "../currency.ts";
import type { CrossRate } from "./cross-rate.ts";

/** The operator's margin on each side of a pair, in millionths of the price; the same in both directions. */
export type MarginOf = (left: Currency, right: Currency) => bigint;

const millionPpm = 1_000_000n;
/** Minimum number of decimals of a rate with a margin: a rate of exactly 1 has none. */
const expMin = 8;

/** Subtracts the margin from the bid, rounded down, and adds it to the ask, rounded up. */
export function withMargin(rate: CrossRate, marginPpm: bigint): CrossRate {
  if (marginPpm === 0n) return rate;
  const exp = Math.max(rate.exp, expMin);
  const scale = 10n ** BigInt(exp - rate.exp);
  return {
    bid: divide(rate.bid * scale * (millionPpm - marginPpm), millionPpm, "down"),
    ask: divide(rate.ask * scale * (millionPpm + marginPpm), millionPpm, "up"),
    exp,
  };
}
