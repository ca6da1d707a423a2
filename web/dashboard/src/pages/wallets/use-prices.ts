import { useLocalStorage } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { useCurrencies } from "../../api/lookups.ts";
import { refreshEvery } from "../../api/refresh-every.ts";
import type { Price } from "./fiat-value.ts";

const noPrices: ReadonlyMap<string, Price> = new Map();

/**
 * Current prices in one fiat currency, by currency ID; refreshed every 30 seconds. Null until they have been loaded; empty if
 * they could not be.
 */
export function usePrices(
  currencyIds: readonly string[],
  fiatId: string,
): ReadonlyMap<string, Price> | null {
  const left = [...new Set(currencyIds)].filter((id) => id !== fiatId).toSorted();
  const prices = useQuery({
    queryKey: ["prices", left, fiatId],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, Price>> => {
      const rates = await Array.fromAsync(
        api.each("/rates/", { filter: { left: left.join(","), right: fiatId }, signal }),
      );
      return new Map(
        rates.map(({ id, attributes }) => [
          id.slice(0, id.indexOf("-")),
          { bid: attributes.bid, isStale: Date.parse(attributes.expired_at) < Date.now() },
        ]),
      );
    },
    enabled: left.length > 0,
    refetchInterval: refreshEvery(30_000),
  });
  if (left.length === 0 || prices.isError) return prices.data ?? noPrices;
  return prices.data ?? null;
}

/** The fiat currency for displaying balances, stored in this browser. */
export function useFiat(): {
  readonly id: string;
  readonly code: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly choose: (id: string) => void;
} {
  const [id, choose] = useLocalStorage({
    key: "sluice-fiat",
    defaultValue: "840",
    getInitialValueInEffect: false,
  });
  const currencies = useCurrencies();
  const choices = [...currencies.values()]
    .filter(({ attributes }) => attributes.blockchain_name === null)
    .map((currency) => ({ value: currency.id, label: currency.attributes.alpha }));
  const code = currencies.get(id)?.attributes.alpha ?? "";
  return { id, code, choices, choose };
}
