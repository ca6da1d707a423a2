import { present } from "../../../src/platform/kernel/assert.ts";
import { formatDecimal, parseDecimal } from "../../../src/platform/kernel/decimal.ts";
import { currencyOf } from "./test-site.ts";

/** An amount in the smallest units of its currency: 0.5 of BTC is 50000000n. */
export function unitsOf(amount: string, alpha: string): bigint {
  const parsed = parseDecimal(amount, currencyOf(alpha).exp);
  return present(parsed.kind === "units" ? parsed.units : null, amount);
}

/** Units as responses show them, with all digits. */
export function amountOf(units: bigint, alpha: string): string {
  return formatDecimal(units, currencyOf(alpha).exp);
}

/** The remainder of an amount, with all digits. */
export function less(amount: string, taken: readonly string[], alpha: string): string {
  const sum = taken.reduce((total, one) => total + unitsOf(one, alpha), 0n);
  return amountOf(unitsOf(amount, alpha) - sum, alpha);
}
