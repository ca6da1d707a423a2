/** Commission on one direction of one currency: a part of the amount, a fixed part and a minimum. */
export type CommissionTerms = {
  /** Millionths of the amount: 1 % is 10,000. */
  readonly ratePpm: number;
  /** Units of the payment currency, as `minimumUnits`. */
  readonly fixedUnits: bigint;
  readonly minimumUnits: bigint;
};
