import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Currency, Wallet } from "../../../../client/src/api-types.gen.ts";
import { api } from "./api.ts";

/** A currency, and whether it accepts payments at the moment. */
export type KnownCurrency = Currency & { readonly isUsable: boolean };

const currenciesQuery = queryOptions({
  queryKey: ["lookup", "currencies"],
  queryFn: async ({ signal }): Promise<readonly KnownCurrency[]> => {
    const usableOnly = { filter: { is_available: "true" }, signal };
    const [all, usable] = await Promise.all([
      Array.fromAsync(api.each("/currency/", { sort: ["alpha"], signal })),
      Array.fromAsync(api.each("/currency/", usableOnly)),
    ]);
    const usableIds = new Set(usable.map(({ id }) => id));
    return all.map((currency) => ({ ...currency, isUsable: usableIds.has(currency.id) }));
  },
  staleTime: 5 * 60_000,
});

export const walletsQuery = queryOptions({
  queryKey: ["lookup", "wallets"],
  queryFn: async ({ signal }): Promise<readonly Wallet[]> =>
    Array.fromAsync(api.each("/wallet/", { sort: ["label"], signal })),
  staleTime: 15_000,
});

export type ById<Item> = ReadonlyMap<string, Item>;

function byId<Item extends { readonly id: string }>(items: readonly Item[]): ById<Item> {
  return new Map(items.map((item) => [item.id, item]));
}

const noCurrencies: ById<KnownCurrency> = new Map();
const noWallets: ById<Wallet> = new Map();

/** All currencies by ID; empty until loaded. */
export function useCurrencies(): ById<KnownCurrency> {
  return useQuery({ ...currenciesQuery, select: byId<KnownCurrency> }).data ?? noCurrencies;
}

/** Whether wallets and currencies are still loading, so that sums of balances would be wrong. */
export function useAreBalancesLoading(): boolean {
  const wallets = useQuery(walletsQuery);
  const currencies = useQuery(currenciesQuery);
  return wallets.data === undefined || currencies.data === undefined;
}

/** The wallets that the signed-in member may view, by ID; empty until loaded. */
export function useWallets(): ById<Wallet> {
  return useQuery({ ...walletsQuery, select: byId<Wallet> }).data ?? noWallets;
}

/** A currency's code, such as `USDT-ETH`; null without an ID and while currencies are loading; the ID of an unknown currency. */
export function codeOf(currencies: ById<Currency>, id: string | null | undefined): string | null {
  if (id === null || id === undefined || currencies.size === 0) return null;
  return currencies.get(id)?.attributes.alpha ?? id;
}

/** The code of the currency that a row of a list relates to. */
export function rowCode(
  currencies: ById<Currency>,
): (row: {
  readonly relationships: { readonly currency: { readonly data: { readonly id: string } | null } };
}) => string | null {
  return ({ relationships }) => codeOf(currencies, relationships.currency.data?.id);
}

/** The ID of a wallet's currency. */
export function walletCurrency(wallet: Wallet | undefined): string | null {
  return wallet?.relationships.currency.data.id ?? null;
}
