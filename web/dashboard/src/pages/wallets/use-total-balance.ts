import { useQuery } from "@tanstack/react-query";
import { useAreBalancesLoading, walletCurrency, walletsQuery } from "../../api/lookups.ts";
import { refreshEvery } from "../../api/refresh-every.ts";
import { fiatTotal, fiatValue } from "./fiat-value.ts";
import { usePrices } from "./use-prices.ts";

/**
 * The available balance of all wallets at current prices; undefined while wallets, currencies or prices are loading, since a sum
 * of only some of them would be wrong. Stale prices are included and marked. Read again as often as the figures beside it.
 */
export function useTotalBalance(fiatId: string) {
  const wallets = useQuery({ ...walletsQuery, refetchInterval: refreshEvery(15_000) }).data ?? [];
  const isLoading = useAreBalancesLoading();
  const prices = usePrices(
    wallets.map((wallet) => walletCurrency(wallet) ?? ""),
    fiatId,
  );
  if (isLoading || prices === null) return undefined;
  const total = fiatTotal(
    wallets.map((wallet) =>
      fiatValue(wallet.attributes.balance_confirmed, walletCurrency(wallet) ?? "", fiatId, prices),
    ),
  );
  return { ...total, wallets: wallets.length };
}
