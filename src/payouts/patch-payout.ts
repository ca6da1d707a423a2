import type { Principal } from "../accounts/principal.ts";
import { lockBalances } from "../ledger/ledger.store.ts";
import type { Database } from "../platform/db/database.ts";
import { present } from "../platform/kernel/assert.ts";
import type { Clock } from "../platform/kernel/clock.ts";
import { reject } from "../platform/kernel/rejection.ts";
import { changePayouts, type PayoutContext } from "./change-payouts.ts";
import { lockPayoutRows } from "./payout.store.ts";
import type { Payout } from "./payout.ts";
import { findPayoutByTracking } from "./payout-list.store.ts";
import { findForChange } from "./send/find-for-change.ts";

/** Changes by a client; undefined leaves a value unchanged, null clears it. */
export type PayoutPatch = {
  readonly label: string | null | undefined;
  readonly trackingId: string | null | undefined;
};

/**
 * Changes label or tracking_id. Rejects with permissionDenied, noPermissionToView, payoutNotPermitted,
 * trackingIdUsed. Null if the account has no such payout.
 */
export function patchPayout(
  context: PayoutContext & { readonly db: Database; readonly clock: Clock },
  principal: Principal,
  id: string,
  patch: PayoutPatch,
): Promise<Payout | null> {
  const now = context.clock.now();
  return context.db.transaction(async (tx) => {
    const found = await findForChange(tx, principal, id);
    if (found === null) return null;
    const { trackingId } = patch;
    if (trackingId !== undefined && trackingId !== null) {
      // Creating a payout locks the wallet's balance, so holding that lock keeps the tracking id free until this
      // transaction commits.
      await lockPayoutRows(tx, [id]);
      await lockBalances(tx, [found]);
      const user = await findPayoutByTracking(tx, found, trackingId);
      if (user !== null && user !== id) {
        const pointer = "/data/attributes/tracking_id";
        reject("trackingIdUsed", "Another payout of this wallet already has this tracking_id.", {
          pointer,
        });
      }
    }
    const [change] = await changePayouts(
      tx,
      context,
      [id],
      (payout) => ({
        ...payout,
        label: patch.label === undefined ? payout.label : patch.label,
        trackingId: trackingId === undefined ? payout.trackingId : trackingId,
      }),
      now,
    );
    return present(change, "the payout just locked").after;
  });
}
