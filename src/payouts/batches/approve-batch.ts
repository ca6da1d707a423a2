import type { Principal } from "../../accounts/principal.ts";
import { Rejected, reject } from "../../platform/kernel/rejection.ts";
import { type ApproveContext, approvePayout } from "../approve/approve-payout.ts";
import { readBatchPayouts } from "./payout-batch.store.ts";
import { findBatch } from "./read-batches.ts";

/** A payout of a batch that could not be approved. */
export type ApprovalFault = { readonly payoutId: string; readonly detail: string };

/**
 * Approves every waiting payout of a batch, each in a transaction of its own, so that an interrupted approval is continued by approving
 * again. Null if the caller sees no such batch. Rejects as `approvePayout` does if no payout could be approved.
 */
export async function approveBatch(
  context: ApproveContext,
  principal: Principal,
  batchId: string,
): Promise<readonly ApprovalFault[] | null> {
  const { role } = principal;
  if (role === "read_only" || role === "withdrawals_with_approval")
    reject("permissionDenied", "Your role can't approve payouts. Ask an Owner or Admin.");
  if ((await findBatch(context.db, principal, batchId)) === null) return null;
  const payouts = await readBatchPayouts(context.db, principal.accountId, batchId);
  const faults: ApprovalFault[] = [];
  let approved = 0;
  let first: Rejected | null = null;
  for (const { payoutId, state } of payouts) {
    if (payoutId === null || state !== "needs_approval") continue;
    try {
      await approvePayout(context, principal, payoutId);
      approved += 1;
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      first ??= error;
      faults.push({ payoutId, detail: error.rejections[0]?.detail ?? error.message });
    }
  }
  if (approved === 0 && first !== null) throw first;
  return faults;
}
