/** Which way a division goes when it does not come out even. There is no default: every caller names one. */
export type Rounding = "up" | "down";

/** Integer division of non-negative numbers with the rounding named. */
export function divide(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  if (numerator < 0n || denominator <= 0n)
    throw new RangeError("divide takes a non-negative over a positive number");
  const quotient = numerator / denominator;
  return rounding === "up" && quotient * denominator !== numerator ? quotient + 1n : quotient;
}
