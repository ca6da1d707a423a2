import { type FiatValue, fiatTotal, fiatValue } from "./fiat-value.ts";
import { useFiat, usePrices } from "./use-prices.ts";

/** The value of amounts at current prices. */
type FiatSum = {
  /** Null if an amount or a price is missing; undefined while prices are loading. */
  readonly value: FiatValue | null | undefined;
  /** The code of the fiat currency. */
  readonly code: string;
};

/** The sum of amounts in the fiat currency that the dashboard displays; null amounts have no value. */
export function useFiatSum(
  parts: readonly { readonly amount: string | null; readonly currency: string | null }[],
): FiatSum {
  const fiat = useFiat();
  const prices = usePrices(
    parts.flatMap(({ currency }) => (currency === null || currency === "" ? [] : [currency])),
    fiat.id,
  );
  if (prices === null) return { value: undefined, code: fiat.code };
  const { unpriced, ...total } = fiatTotal(
    parts.map(({ amount, currency }) =>
      amount === null || currency === null ? null : fiatValue(amount, currency, fiat.id, prices),
    ),
  );
  return { value: unpriced > 0 ? null : total, code: fiat.code };
}
