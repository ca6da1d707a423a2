import { divide, type Rounding } from "./rounding.ts";

/** Price of one whole unit of the left currency in the right currency: `units` of 10^-`exp`. */
export type Rate = { readonly units: bigint; readonly exp: number };

export const rateOfOne: Rate = { units: 1n, exp: 0 };

/** Converts left-currency units (of 10^-`leftExp`) to right-currency units (of 10^-`rightExp`). */
export function multiplyByRate(
  leftUnits: bigint,
  leftExp: number,
  rate: Rate,
  rightExp: number,
  rounding: Rounding,
): bigint {
  return divide(
    leftUnits * rate.units * 10n ** BigInt(rightExp),
    10n ** BigInt(leftExp + rate.exp),
    rounding,
  );
}

/** Converts right-currency units to left-currency units. The rate must be positive. */
export function divideByRate(
  rightUnits: bigint,
  rightExp: number,
  rate: Rate,
  leftExp: number,
  rounding: Rounding,
): bigint {
  return divide(
    rightUnits * 10n ** BigInt(leftExp + rate.exp),
    rate.units * 10n ** BigInt(rightExp),
    rounding,
  );
}
