import { reject } from "../../platform/kernel/rejection.ts";
import type { Principal } from "../principal.ts";
import type { WalletsContext } from "./context.ts";
import { requireWalletAdministrator } from "./create-wallet.ts";
import { findWallet } from "./find-wallet.ts";
import { storeActivation } from "./wallet.store.ts";
import type { Wallet } from "./wallet.ts";

/**
 * Makes a wallet active; one that is active stays so. Null when there is no such wallet. Rejects `permissionDenied` unless
 * the caller is Owner or Admin, `noPermissionToView`, and `walletNotActivated` on a chain that asks for a transfer first.
 */
export async function activateWallet(
  context: Pick<WalletsContext, "db" | "currencies">,
  principal: Principal,
  id: string,
): Promise<Wallet | null> {
  requireWalletAdministrator(principal);
  if ((await findWallet(context, principal, id)) === null) return null;
  if (!(await storeActivation(context.db, principal.accountId, id)))
    reject("walletNotActivated", "The wallet's activation transfer is not through.");
  return findWallet(context, principal, id);
}
