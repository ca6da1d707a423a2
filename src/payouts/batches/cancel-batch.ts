import { recordAudit } from "../../accounts/audit/record-audit.ts";
import { mayPayFrom, type Principal } from "../../accounts/principal.ts";
import { assertAdmitted } from "../../platform/db/admission.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import {
  mayCancelOf,
  notOwnPayout,
  walletNotGranted,
  whyNotCancel,
} from "../approve/decide-approval-rights.ts";
import { assertUnpaid, type CancelContext, retryIfTaken, TakenBySpend } from "../cancel-payout.ts";
import { changePayouts } from "../change-payouts.ts";
import { claimKeys } from "../create/create.store.ts";
import { type Payout, payoutStatus } from "../payout.ts";
import { readPayoutRow } from "../payout-list.store.ts";
import { assertMayChange } from "../send/find-for-change.ts";
import { readBatchPayouts } from "./payout-batch.store.ts";
import type { PayoutBatch } from "./payout-batch.ts";
import { findBatch } from "./read-batches.ts";

/**
 * Cancels every payout of a batch of which nothing is signed, in one transaction: all of them or none. Those that were canceled before, are
 * paid, failed or may be signed stay as they are. Rows without a payout never get one, also from an upload that is still creating them.
 * Repeated, it changes nothing. Rejects like `cancelPayout`, and with invalidValue if nothing can be canceled and nothing was. False if the
 * account has no such batch.
 */
export function cancelBatch(
  context: CancelContext,
  principal: Principal,
  batchId: string,
): Promise<boolean> {
  const now = context.clock.now();
  return retryIfTaken(
    () => context.db.transaction((tx) => cancelOnce(tx, context, principal, batchId, now)),
    "Payouts of this batch are being sent right now. Try again.",
  );
}

async function cancelOnce(
  tx: Executor,
  context: CancelContext,
  principal: Principal,
  batchId: string,
  now: Instant,
): Promise<boolean> {
  await assertAdmitted(tx);
  assertMayChange(principal);
  const batch = await findBatch(tx, principal, batchId);
  if (batch === null) return false;
  if (!mayPayFrom(principal, batch.walletId))
    reject(walletNotGranted.name, walletNotGranted.detail);
  const dropped = await dropRows(tx, principal, batch, now);
  const { found, hasDropped } = await readPayouts(tx, principal, batchId);
  await context.refunds.lock(tx, found);
  for (const payout of found) refuseOthers(payout, principal);
  const open = found.filter((payout) => whyNotCancel(payout, principal) === null);
  for (const payout of open) await assertUnpaid(tx, payout);
  const signed = await withdrawSpends(tx, context, open, now);
  const wanted = open.filter(({ id }) => !signed.has(id));
  const changes = await changePayouts(
    tx,
    context,
    wanted.map(({ id }) => id),
    (payout) => canceled(payout, principal),
    now,
  );
  const done = changes.flatMap(({ before, after }) => (before === after ? [] : [after.id]));
  const wasCanceled = [...found, ...changes.map(({ after }) => after)].some(
    ({ stage }) => stage === "cancelled",
  );
  if (done.length === 0 && !wasCanceled && !hasDropped) refuseNothing(signed);
  if (done.length > 0 || dropped > 0) await audit(tx, principal, batchId, { done, dropped }, now);
  return true;
}

/**
 * Uses the keys of the rows that have no payout, as the writer of payouts does: before any other lock. A row that is being written makes this
 * wait, and then has a payout. Returns how many rows this call drops.
 */
async function dropRows(
  tx: Executor,
  principal: Principal,
  batch: PayoutBatch,
  now: Instant,
): Promise<number> {
  const { accountId } = principal;
  const rows = await readBatchPayouts(tx, accountId, batch.id);
  const open = rows.filter(({ payoutId }) => payoutId === null);
  if (open.length === 0) return 0;
  if (!mayCancelOf(batch, principal)) reject(notOwnPayout.name, notOwnPayout.detail);
  const fingerprint = Buffer.from(batch.digest, "hex");
  const uses = open.map(({ key }) => ({ accountId, key, fingerprint }));
  return (await claimKeys(tx, uses, now)).filter((ids) => ids !== null).length;
}

/** The payouts of a batch whose open rows are dropped, and whether rows have none. */
async function readPayouts(
  tx: Executor,
  { accountId }: Principal,
  batchId: string,
): Promise<{ readonly found: readonly Payout[]; readonly hasDropped: boolean }> {
  const rows = await readBatchPayouts(tx, accountId, batchId);
  const found: Payout[] = [];
  for (const { payoutId } of rows) {
    const payout = payoutId === null ? null : await readPayoutRow(tx, accountId, payoutId);
    if (payout !== null) found.push(payout);
  }
  return { found, hasDropped: found.length < rows.length };
}

function refuseOthers(payout: Payout, principal: Principal): void {
  const refusal = whyNotCancel(payout, principal);
  if (refusal?.reason === "not_own_payout") reject(refusal.name, refusal.detail);
}

/** Withdraws the spends that took payouts, in the order in which spends are locked; returns the payouts of those that the signer has seen. */
async function withdrawSpends(
  tx: Executor,
  context: CancelContext,
  payouts: readonly Payout[],
  now: Instant,
): Promise<ReadonlySet<string>> {
  const taken = Map.groupBy(
    payouts.filter(({ stage, spendId }) => stage === "sending" && spendId !== null),
    ({ spendId }) => spendId ?? "",
  );
  const signed = new Set<string>();
  const inOrder = [...taken].toSorted(([left], [right]) => (BigInt(left) < BigInt(right) ? -1 : 1));
  for (const [spendId, own] of inOrder) {
    if (await context.withdrawFromSpend(tx, spendId, now)) continue;
    for (const { id } of own) signed.add(id);
  }
  return signed;
}

/** A payout that another request canceled, or that was paid, between reading and locking it stays as it is. */
function canceled(payout: Payout, principal: Principal): Payout {
  if (payout.stage === "sending") throw new TakenBySpend();
  if (whyNotCancel(payout, principal) !== null) return payout;
  return { ...payout, stage: "cancelled", status: payoutStatus.canceled };
}

function refuseNothing(signed: ReadonlySet<string>): never {
  reject(
    "invalidValue",
    signed.size > 0
      ? "The transactions of this batch's payouts may already be signed, so they can no longer be canceled."
      : "All payouts of this batch are paid, failed or may already be signed, so none can be canceled.",
  );
}

/** The log names the batch with the number of its rows that are not created any more, and each payout, whose activity says who canceled it. */
async function audit(
  tx: Executor,
  by: Principal,
  batchId: string,
  { done, dropped }: { readonly done: readonly string[]; readonly dropped: number },
  at: Instant,
): Promise<void> {
  await recordAudit(
    tx,
    {
      by,
      action: "payout_batch.canceled",
      at,
      object: { type: "payout-batch", id: batchId },
      summary: {
        payouts: String(done.length),
        ...(dropped === 0 ? {} : { rows_not_created: String(dropped) }),
      },
    },
    ...done.map((id) => ({
      by,
      action: "payout.canceled",
      at,
      object: { type: "payout", id },
      summary: {},
    })),
  );
}
