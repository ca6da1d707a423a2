import type { ListQuery, Page } from "../../platform/kernel/list-query.ts";
import { type Principal, visibleWallets } from "../principal.ts";
import type { WalletsContext } from "./context.ts";
import { listWalletRows } from "./wallet.store.ts";
import type { Wallet } from "./wallet.ts";

/** One page of the wallets that the caller may view. */
export function listWallets(
  context: Pick<WalletsContext, "db" | "currencies">,
  principal: Principal,
  query: ListQuery,
): Promise<Page<Wallet>> {
  const { db, currencies } = context;
  return listWalletRows(db, principal.accountId, visibleWallets(principal), query, currencies);
}
