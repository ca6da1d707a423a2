import { recordAudit } from "../accounts/audit/record-audit.ts";
import type { Principal } from "../accounts/principal.ts";
import { assertAdmitted } from "../platform/db/admission.ts";
import type { Database, Executor } from "../platform/db/database.ts";
import { present } from "../platform/kernel/assert.ts";
import type { Clock, Instant } from "../platform/kernel/clock.ts";
import { reject } from "../platform/kernel/rejection.ts";
import { Unavailable } from "../platform/kernel/unavailable.ts";
import { maybeSigned, whyNotCancel } from "./approve/decide-approval-rights.ts";
import { changePayouts, type PayoutContext } from "./change-payouts.ts";
import { type Payout, payoutStatus } from "./payout.ts";
import { findForChange } from "./send/find-for-change.ts";
import { readPaidUnnoticed } from "./send/send.store.ts";

/**
 * Withdraws a spend of which nothing is signed, in the caller's transaction, and returns its payouts to `held`. False
 * if the signer was already asked. Locks the spend's row, which must be locked before its payouts.
 */
export type WithdrawFromSpend = (tx: Executor, spendId: string, now: Instant) => Promise<boolean>;

export type CancelContext = PayoutContext & {
  readonly db: Database;
  readonly clock: Clock;
  readonly withdrawFromSpend: WithdrawFromSpend;
};

/** A spend took the payout between reading and locking it. */
export class TakenBySpend extends Error {
  override readonly name = "TakenBySpend";
}

const attemptsMax = 3;

/**
 * Cancels a payout of which nothing is signed. Its funds return to the wallet; if it was a refund, the payment is on
 * hold again. Rejects with permissionDenied, noPermissionToView, payoutNotPermitted, invalidValue, and with
 * `Unavailable` while the database may be an older copy that does not know what was signed. Null if the account has
 * no such payout.
 */
export function cancelPayout(
  context: CancelContext,
  principal: Principal,
  id: string,
): Promise<Payout | null> {
  const now = context.clock.now();
  return retryIfTaken(
    () => context.db.transaction((tx) => cancelOnce(tx, context, principal, id, now)),
    maybeSigned.detail,
  );
}

/** Attempts again while spends take the payouts, and rejects with invalidValue and `detail` if they always do. */
export async function retryIfTaken<Result>(
  attemptOnce: () => Promise<Result>,
  detail: string,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptOnce();
    } catch (error) {
      if (!(error instanceof TakenBySpend)) throw error;
      if (attempt === attemptsMax) reject(maybeSigned.name, detail);
    }
  }
}

async function cancelOnce(
  tx: Executor,
  context: CancelContext,
  principal: Principal,
  id: string,
  now: Instant,
): Promise<Payout | null> {
  await assertAdmitted(tx);
  const found = await findForChange(tx, principal, id);
  if (found === null) return null;
  await context.refunds.lock(tx, [found]);
  const refusal = whyNotCancel(found, principal);
  if (refusal?.reason === "not_own_payout") reject(refusal.name, refusal.detail);
  await assertUnpaid(tx, found);
  const isTaken = found.stage === "sending" && found.spendId !== null;
  if (isTaken && !(await context.withdrawFromSpend(tx, found.spendId, now))) rejectSigned();
  const [change] = await changePayouts(
    tx,
    context,
    [id],
    (payout): Payout => canceled(payout, isTaken, principal),
    now,
  );
  await recordAudit(tx, {
    by: principal,
    action: "payout.canceled",
    at: now,
    object: { type: "payout", id },
    summary: {},
  });
  return present(change, "the payout just locked").after;
}

/** After a restore, the chain may contain a transaction that paid it and that the database does not know. */
export async function assertUnpaid(tx: Executor, payout: Payout): Promise<void> {
  const { isUnread, isPaid } = await readPaidUnnoticed(tx, payout.id);
  if (isPaid)
    reject(
      maybeSigned.name,
      "A transaction may already have paid this payout. An operator must review it first.",
    );
  if (isUnread) throw new Unavailable("chain", "not read to its newest block since the restore");
}

function canceled(payout: Payout, wasWithdrawn: boolean, principal: Principal): Payout {
  if (payout.stage === "sending") {
    if (wasWithdrawn) rejectSigned();
    throw new TakenBySpend();
  }
  const refusal = whyNotCancel(payout, principal);
  if (refusal !== null) reject(refusal.name, refusal.detail);
  return { ...payout, stage: "cancelled", status: payoutStatus.canceled };
}

function rejectSigned(): never {
  reject(maybeSigned.name, maybeSigned.detail);
}
