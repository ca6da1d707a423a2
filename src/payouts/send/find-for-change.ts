import { assertMayView } from "../../accounts/assert-may-view.ts";
import { mayCreate, mayPayFrom, type Principal } from "../../accounts/principal.ts";
import type { Executor } from "../../platform/db/database.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { roleChangesNothing, walletNotGranted } from "../approve/decide-approval-rights.ts";
import type { Payout } from "../payout.ts";
import { readPayoutRow } from "../payout-list.store.ts";

/**
 * The payout of that id, for somebody who wants to change it; null: the account has none. It is not locked yet.
 * Rejects with permissionDenied for a role that changes nothing, noPermissionToView, payoutNotPermitted for a wallet that the
 * caller may see but not pay from.
 */
export async function findForChange(
  tx: Executor,
  principal: Principal,
  id: string,
): Promise<Payout | null> {
  assertMayChange(principal);
  const payout = await readPayoutRow(tx, principal.accountId, id);
  if (payout === null) return null;
  assertMayView(principal, payout, "payout");
  if (!mayPayFrom(principal, payout.walletId)) {
    reject(walletNotGranted.name, walletNotGranted.detail);
  }
  return payout;
}

/** Rejects `permissionDenied` for a member who may only read. */
export function assertMayChange(principal: Principal): void {
  if (!mayCreate(principal)) reject(roleChangesNothing.name, roleChangesNothing.detail);
}
