import { type AuditActor, recordAudit } from "../../accounts/audit/record-audit.ts";
import type { Database, Executor } from "../../platform/db/database.ts";
import type { Clock, Instant } from "../../platform/kernel/clock.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { lockUnexplained, saveDecision } from "./unexplained.store.ts";
import type { UnexplainedSpend } from "./unexplained-spend.ts";

export type DecideContext = {
  readonly db: Database;
  readonly clock: Clock;
  /** Settles the payouts with a transaction that paid them; rejects with invalidValue where it did not. */
  readonly settlePaid: (
    tx: Executor,
    made: UnexplainedSpend,
    payoutIds: readonly string[],
    now: Instant,
  ) => Promise<readonly { readonly accountId: string; readonly id: string }[]>;
};

export type Decision = {
  readonly chain: string;
  readonly txid: string;
  /** Why; 1 to 256 characters. */
  readonly reason: string;
  /** What it paid; none: it paid no payout that this database knows. */
  readonly payoutIds: readonly string[];
  /** Null: from the command line. */
  readonly by: (AuditActor & { readonly memberId: string }) | null;
};

/**
 * Enters a person's decision about a transaction that nothing on record explained: that it paid these payouts, or none. Null: there
 * is no such transaction. Rejects with invalidValue where it was decided about before, or did not pay one of them.
 */
export async function decideUnexplained(
  context: DecideContext,
  { chain, txid, reason, payoutIds, by }: Decision,
): Promise<UnexplainedSpend | null> {
  const now = context.clock.now();
  return context.db.transaction(async (tx) => {
    const spend = await lockUnexplained(tx, chain, txid);
    if (spend === null) return null;
    if (spend.decidedAt !== null)
      reject("invalidValue", "A decision about this transaction was made before.");
    const made = { ...spend, payments: spend.payments.filter(({ isOwn }) => !isOwn) };
    const payouts =
      payoutIds.length === 0 ? [] : await context.settlePaid(tx, made, payoutIds, now);
    await saveDecision(tx, spend, { reason, by, payoutIds, now });
    const summary = { chain, txid, reason };
    const settled = payouts.map(({ accountId, id }) => ({
      by: by?.accountId === accountId ? by : { accountId },
      action: "payout.settled",
      object: { type: "payout", id },
      summary,
      at: now,
    }));
    const decided =
      by === null
        ? []
        : [{ by, action: "unexplained_spend.decided", object: null, summary, at: now }];
    const [first, ...rest] = [...settled, ...decided];
    if (first !== undefined) await recordAudit(tx, first, ...rest);
    return { ...spend, decidedAt: now, reason, payoutIds, candidateIds: [] };
  });
}
