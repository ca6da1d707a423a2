import type { Principal } from "../principal.ts";
import type { WalletsContext } from "./context.ts";
import { assertWalletAdministrator } from "./create-wallet.ts";
import { findWallet } from "./find-wallet.ts";
import { storeLabel } from "./wallet.store.ts";
import type { Wallet } from "./wallet.ts";

/**
 * Changes a wallet's label. `label` null resets it to the currency's alpha code; undefined keeps it. Null when the account has no such
 * wallet. Rejects `permissionDenied` unless the caller is Owner or Admin, and `noPermissionToView`.
 */
export async function relabelWallet(
  context: Pick<WalletsContext, "db" | "currencies">,
  principal: Principal,
  id: string,
  label: string | null | undefined,
): Promise<Wallet | null> {
  assertWalletAdministrator(principal);
  const wallet = await findWallet(context, principal, id);
  if (wallet === null || label === undefined) return wallet;
  await storeLabel(context.db, principal.accountId, id, label ?? wallet.currency.alpha);
  return findWallet(context, principal, id);
}
