import { reject } from "../../platform/kernel/rejection.ts";
import type { Principal } from "../principal.ts";
import type { WalletsContext } from "./context.ts";
import { assertWalletAdministrator } from "./create-wallet.ts";
import { findWallet } from "./find-wallet.ts";
import { storeActivation } from "./wallet.store.ts";
import type { Wallet } from "./wallet.ts";

/**
 * Activates a wallet; an active one stays active. Null when the account has no such wallet. Rejects `permissionDenied` unless the caller
 * is Owner or Admin, `noPermissionToView`, and `walletNotActivated` on a chain that requires an activation transfer.
 */
export async function activateWallet(
  context: Pick<WalletsContext, "db" | "currencies">,
  principal: Principal,
  id: string,
): Promise<Wallet | null> {
  assertWalletAdministrator(principal);
  if ((await findWallet(context, principal, id)) === null) return null;
  if (!(await storeActivation(context.db, principal.accountId, id)))
    reject("walletNotActivated", "The wallet's activation transfer has not arrived.");
  return findWallet(context, principal, id);
}
