import { addDecimals } from "./decimals.ts";

type Value = { readonly amount: string; readonly currency: string };

/** The sum of values in one currency; null for none, for several currencies, and where a value is not known. */
export function sumOfValues(values: readonly (Value | null)[]): Value | null {
  const [first = null, ...others] = values;
  return others.reduce<Value | null>((sum, value) => {
    if (sum === null || value === null || value.currency !== sum.currency) return null;
    const amount = addDecimals(sum.amount, value.amount);
    return amount === null ? null : { ...sum, amount };
  }, first);
}
