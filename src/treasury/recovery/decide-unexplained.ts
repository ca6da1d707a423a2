import { type AuditRecord, recordAudit } from "../../accounts/audit/record-audit.ts";
import type { Database, Executor } from "../../platform/db/database.ts";
import type { Clock, Instant } from "../../platform/kernel/clock.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { lockUnexplained, saveDecision } from "./unexplained.store.ts";
import type { UnexplainedSpend } from "./unexplained-spend.ts";

export type DecideContext = {
  readonly db: Database;
  readonly clock: Clock;
  /** Settles the payouts with a transaction that paid them; rejects with invalidValue if it did not pay one of them. */
  readonly settlePaid: (
    tx: Executor,
    unexplained: UnexplainedSpend,
    payoutIds: readonly string[],
    now: Instant,
  ) => Promise<readonly { readonly accountId: string; readonly id: string }[]>;
  /** The accounts that operate the deployment: the decision goes into their audit logs. */
  readonly listOperatorAccounts: (tx: Executor) => Promise<readonly string[]>;
};

export type Decision = {
  readonly chain: string;
  readonly txid: string;
  /** 1 to 256 characters. */
  readonly reason: string;
  /** The payouts that it paid; empty if it paid none that this database knows. */
  readonly payoutIds: readonly string[];
};

/**
 * Stores the decision, made on the command line, about an unexplained transaction: it paid these payouts, or none. Returns null
 * if there is no such transaction. Rejects with invalidValue if it was decided before, or did not pay one of the payouts.
 */
export async function decideUnexplained(
  context: DecideContext,
  { chain, txid, reason, payoutIds }: Decision,
): Promise<UnexplainedSpend | null> {
  const now = context.clock.now();
  return context.db.transaction(async (tx) => {
    const spend = await lockUnexplained(tx, chain, txid);
    if (spend === null) return null;
    if (spend.decidedAt !== null)
      reject("invalidValue", "This transaction has already been resolved.");
    const unexplained = { ...spend, payments: spend.payments.filter(({ isOwn }) => !isOwn) };
    const payouts =
      payoutIds.length === 0 ? [] : await context.settlePaid(tx, unexplained, payoutIds, now);
    await saveDecision(tx, spend, { reason, payoutIds, now });
    const summary = { chain, txid, reason };
    const settled = payouts.map(({ accountId, id }): AuditRecord => {
      const object = { type: "payout", id };
      return { by: { accountId }, action: "payout.settled", object, summary, at: now };
    });
    const decided = (await context.listOperatorAccounts(tx)).map((accountId): AuditRecord => {
      const action = "unexplained_spend.decided";
      return { by: { accountId }, action, object: null, summary, at: now };
    });
    const [first, ...rest] = [...settled, ...decided];
    if (first !== undefined) await recordAudit(tx, first, ...rest);
    return { ...spend, decidedAt: now, reason, payoutIds, candidates: [] };
  });
}
