import { assertMayView } from "../../accounts/assert-may-view.ts";
import { mayCreate, mayPayFrom, type Principal } from "../../accounts/principal.ts";
import type { Executor } from "../../platform/db/database.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { roleChangesNothing, walletNotGranted } from "../approve/decide-approval-rights.ts";
import type { Payout } from "../payout.ts";
import { readPayoutRow } from "../payout-list.store.ts";

/**
 * Finds a payout that the caller wants to change; null if the account has none. Does not lock it. Rejects with permissionDenied
 * for a read-only role, noPermissionToView, and payoutNotPermitted if the caller may view the wallet but not pay from it.
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

/** Rejects with `permissionDenied` for a read-only role. */
export function assertMayChange(principal: Principal): void {
  if (!mayCreate(principal)) reject(roleChangesNothing.name, roleChangesNothing.detail);
}
