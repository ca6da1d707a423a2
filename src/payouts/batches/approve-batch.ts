import type { Principal } from "../../accounts/principal.ts";
import { Rejected, reject } from "../../platform/kernel/rejection.ts";
import { type ApproveContext, approvePayout } from "../approve/approve-payout.ts";
import { readBatchPayouts } from "./payout-batch.store.ts";
import type { RowFault } from "./read-batch-rows.ts";
import { findBatch } from "./read-batches.ts";

/**
 * Approves every waiting payout of a batch, each in a transaction of its own, so that an interrupted approval is continued by approving
 * again. Returns why rows were not approved; null if the caller sees no such batch. Rejects as `approvePayout` does if no payout could be
 * approved.
 */
export async function approveBatch(
  context: ApproveContext,
  principal: Principal,
  batchId: string,
): Promise<readonly RowFault[] | null> {
  const { role } = principal;
  if (role === "read_only" || role === "withdrawals_with_approval")
    reject("permissionDenied", "Your role can't approve payouts. Ask an Owner or Admin.");
  if ((await findBatch(context.db, principal, batchId)) === null) return null;
  const payouts = await readBatchPayouts(context.db, principal.accountId, batchId);
  const faults: RowFault[] = [];
  let approved = 0;
  let first: Rejected | null = null;
  for (const { number, payoutId, state } of payouts) {
    if (payoutId === null || state !== "needs_approval") continue;
    try {
      await approvePayout(context, principal, payoutId);
      approved += 1;
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      first ??= error;
      const detail = error.rejections[0]?.detail ?? error.message;
      faults.push({ row: number, column: null, detail });
    }
  }
  if (approved === 0 && first !== null) throw first;
  return faults;
}
