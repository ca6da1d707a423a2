import { assert } from "../platform/kernel/assert.ts";
import { divide } from "../platform/kernel/rounding.ts";
import type { CommissionTerms } from "./commission-terms.ts";

export type CommissionDirection = "deposit" | "payout";

export const noCommission: CommissionTerms = { ratePpm: 0, fixedUnits: 0n, minimumUnits: 0n };

const million = 1_000_000n;

/** Percentage rounded up plus the fixed part, at least the minimum, never more than the amount itself. */
export function commissionOf(units: bigint, terms: CommissionTerms): bigint {
  assert(units >= 0n, "commission of a negative amount");
  const proportional = divide(units * BigInt(terms.ratePpm), million, "up");
  const wanted = proportional + terms.fixedUnits;
  const charged = wanted < terms.minimumUnits ? terms.minimumUnits : wanted;
  return charged > units ? units : charged;
}
