import { recordAudit } from "../../accounts/audit/record-audit.ts";
import type { Principal } from "../../accounts/principal.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { resendCallbackRow } from "../callback-list.store.ts";
import { readCallback } from "../read-callbacks.ts";
import { assertMaySend } from "./assert-may-send.ts";

/**
 * Makes a callback due now, with the same `webhook-id` and a new retry schedule, even if it was delivered or exhausted or the
 * receiver's circuit breaker is open. Returns false if there is no callback with this id. Rejects with `permissionDenied`
 * for read-only members, `noPermissionToView` for callbacks of wallets not granted.
 */
export function resendCallback(
  context: { readonly db: Database; readonly clock: Clock },
  principal: Principal,
  id: string,
): Promise<boolean> {
  assertMaySend(principal);
  const now = context.clock.now();
  return context.db.transaction(async (tx) => {
    if ((await readCallback(tx, principal, id)) === null) return false;
    await resendCallbackRow(tx, principal.accountId, id, now);
    await recordAudit(tx, {
      by: principal,
      action: "callback.resent",
      at: now,
      object: null,
      summary: { callbacks: [id] },
    });
    return true;
  });
}
