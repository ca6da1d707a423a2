import { addDecimals, multiplyDecimals } from "../../components/decimals.ts";

/** The price of one currency in the fiat currency, and whether it is older than it may be to be called current. */
export type Price = { readonly bid: string; readonly isStale: boolean };

export type FiatValue = {
  readonly amount: string;
  /** The price is older than it may be to be called current. */
  readonly isStale: boolean;
};

/** What a balance is worth, rounded down to cents; null without a price. The fiat currency itself needs none. */
export function fiatValue(
  balance: string,
  currencyId: string,
  fiatId: string,
  prices: ReadonlyMap<string, Price>,
): FiatValue | null {
  if (currencyId === fiatId) {
    const amount = multiplyDecimals(balance, "1", 2);
    return amount === null ? null : { amount, isStale: false };
  }
  const price = prices.get(currencyId);
  const amount = price === undefined ? null : multiplyDecimals(balance, price.bid, 2);
  if (price === undefined || amount === null) return null;
  return { amount, isStale: price.isStale };
}

/** The sum of what has a price; how many have none is told beside it. */
export function fiatTotal(
  values: readonly (FiatValue | null)[],
): FiatValue & { readonly unpriced: number } {
  const known = values.filter((value) => value !== null);
  return {
    amount: known.reduce((sum, { amount }) => addDecimals(sum, amount) ?? sum, "0.00"),
    isStale: known.some(({ isStale }) => isStale),
    unpriced: values.length - known.length,
  };
}
