import { maxBigInt } from "../../platform/kernel/bigint-min-max.ts";
import type { SignedSpend } from "../intent.ts";

/** What decides how much an attempt adds to the fees of its spend. */
export type FeeFacts = Pick<SignedSpend, "claims" | "decisive" | "feeUnits">;

/**
 * What a spend can burn beyond its earlier attempts. Attempts that share a decisive claim count as the most expensive of them, since
 * only one can be mined. Any other attempt may be mined beside them, whatever else it shares, and counts in full.
 */
export function addedFee(attempts: readonly FeeFacts[], spend: FeeFacts): bigint {
  const decisive = new Set(decisiveOf(spend));
  const dearest = attempts
    .filter((attempt) => decisiveOf(attempt).some((claim) => decisive.has(claim)))
    .reduce((most, { feeUnits }) => maxBigInt(most, BigInt(feeUnits)), 0n);
  return maxBigInt(BigInt(spend.feeUnits) - dearest, 0n);
}

/** Spends of earlier releases do not say which of their claims decide; all of them count. */
function decisiveOf({ claims, decisive = claims }: FeeFacts): readonly string[] {
  return decisive;
}
