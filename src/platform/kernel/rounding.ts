/** The rounding of a division. There is no default: every caller states it. */
export type Rounding = "up" | "down";

/** Divides non-negative integers with the given rounding. */
export function divide(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  if (numerator < 0n || denominator <= 0n)
    throw new RangeError("divide needs a non-negative numerator and a positive denominator");
  const quotient = numerator / denominator;
  return rounding === "up" && quotient * denominator !== numerator ? quotient + 1n : quotient;
}
