import { assert } from "../platform/kernel/assert.ts";
import { maxBigInt, minBigInt } from "../platform/kernel/bigint-min-max.ts";
import { divide } from "../platform/kernel/rounding.ts";

/** Commission terms for one direction of one currency: a percentage, a fixed part and a minimum. */
export type CommissionTerms = {
  /** In millionths of the amount: 1 % is 10,000. */
  readonly ratePpm: number;
  /** In units of the payment currency, like `minimumUnits`. */
  readonly fixedUnits: bigint;
  readonly minimumUnits: bigint;
};

export type CommissionDirection = "deposit" | "payout";

export const noCommission: CommissionTerms = { ratePpm: 0, fixedUnits: 0n, minimumUnits: 0n };

const million = 1_000_000n;

/** The percentage, rounded up, plus the fixed part; at least the minimum and at most the amount. */
export function commissionOf(units: bigint, terms: CommissionTerms): bigint {
  assert(units >= 0n, "commission of a negative amount");
  const proportional = divide(units * BigInt(terms.ratePpm), million, "up");
  const uncapped = proportional + terms.fixedUnits;
  return minBigInt(units, maxBigInt(uncapped, terms.minimumUnits));
}

/** The largest amount that costs at most `budget` units together with its commission; 0n if none does. */
export function amountWithin(budget: bigint, terms: CommissionTerms): bigint {
  // The cost rises with the amount, so it can be bisected: `least` always fits, and one more than `most` never does.
  let least = 0n;
  let most = budget;
  while (least < most) {
    const middle = divide(least + most, 2n, "up");
    if (middle + commissionOf(middle, terms) <= budget) least = middle;
    else most = middle - 1n;
  }
  return least;
}
