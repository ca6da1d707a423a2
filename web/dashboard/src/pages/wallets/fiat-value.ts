import { addDecimals, multiplyDecimals } from "../../components/decimals.ts";

/** A currency's bid price in the fiat currency, and whether it has expired. */
export type Price = { readonly bid: string; readonly isStale: boolean };

export type FiatValue = {
  readonly amount: string;
  readonly isStale: boolean;
  /** Whether no price was needed. */
  readonly isExact: boolean;
};

/** The fiat value of a balance, rounded down to cents; null without a price. The fiat currency itself needs none. */
export function fiatValue(
  balance: string,
  currencyId: string,
  fiatId: string,
  prices: ReadonlyMap<string, Price>,
): FiatValue | null {
  if (currencyId === fiatId) {
    const amount = multiplyDecimals(balance, "1", 2);
    return amount === null ? null : { amount, isStale: false, isExact: true };
  }
  const price = prices.get(currencyId);
  const amount = price === undefined ? null : multiplyDecimals(balance, price.bid, 2);
  if (price === undefined || amount === null) return null;
  return { amount, isStale: price.isStale, isExact: false };
}

/** The sum of the priced values, and the number of unpriced ones. */
export function fiatTotal(
  values: readonly (FiatValue | null)[],
): FiatValue & { readonly unpriced: number } {
  const known = values.filter((value) => value !== null);
  return {
    amount: known.reduce((sum, { amount }) => addDecimals(sum, amount) ?? sum, "0.00"),
    isStale: known.some(({ isStale }) => isStale),
    isExact: values.every((value) => value?.isExact === true),
    unpriced: values.length - known.length,
  };
}
