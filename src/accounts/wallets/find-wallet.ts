import { reject } from "../../platform/kernel/rejection.ts";
import { mayView, type Principal } from "../principal.ts";
import type { WalletsContext } from "./context.ts";
import { readWallet, readWallets } from "./wallet.store.ts";
import type { Wallet } from "./wallet.ts";

type Reading = Pick<WalletsContext, "db" | "currencies">;

/**
 * A wallet of the caller's account; null for an unknown wallet or another account's. Rejects `noPermissionToView` when the caller was not
 * granted the wallet.
 */
export async function findWallet(
  context: Reading,
  principal: Principal,
  id: string,
): Promise<Wallet | null> {
  const wallet = await readWallet(context.db, context.currencies, principal.accountId, id);
  if (wallet !== null && !mayView(principal, id))
    reject("noPermissionToView", "You don't have access to this wallet.");
  return wallet;
}

/** The wallets among `ids` that the caller may view, in any order. */
export function findWallets(
  context: Reading,
  principal: Principal,
  ids: readonly string[],
): Promise<readonly Wallet[]> {
  const visible = ids.filter((id) => mayView(principal, id));
  return readWallets(context.db, context.currencies, principal.accountId, visible);
}
