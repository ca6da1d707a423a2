import type { Executor } from "../../platform/db/database.ts";
import { type Clock, type Instant, secondsBetween } from "../../platform/kernel/clock.ts";
import { readChainProgress } from "./chain.store.ts";
import { explainSpend } from "./explain-spend.ts";
import type { ChainsContext, OperatedPause } from "./list-chains.ts";
import { type DifferenceState, readPayoutStages, readReconciliation } from "./operations.store.ts";
import { readSpendsUnderWay, type SpendUnderWay } from "./pipeline.store.ts";

/** An unfinished spend and what it waits for. */
export type ExplainedSpend = SpendUnderWay & ReturnType<typeof explainSpend>;

/** Our pending transactions, oldest first. */
export async function listSpends(
  { db, clock }: { readonly db: Executor; readonly clock: Clock },
  stuckAfterSeconds: number,
): Promise<readonly ExplainedSpend[]> {
  const now = clock.now();
  const [spends, progress] = await Promise.all([
    readSpendsUnderWay(db),
    readChainProgress(db, now),
  ]);
  return spends.map((spend) => {
    const tip = progress.find(({ chain }) => chain === spend.chain)?.height ?? null;
    return { ...spend, ...explainSpend(spend, tip, stuckAfterSeconds, now) };
  });
}

/** Payouts of one stage on one chain. */
export type PayoutQueue = {
  readonly chain: string;
  readonly stage: string;
  readonly count: number;
  readonly oldestAt: Instant;
  readonly oldestSeconds: number;
};

/** Unfinished payouts by chain and stage. */
export async function listPayoutQueues({
  db,
  clock,
}: {
  readonly db: Executor;
  readonly clock: Clock;
}): Promise<readonly PayoutQueue[]> {
  const now = clock.now();
  const rows = await readPayoutStages(db);
  return rows.map(({ chain, stage, count, oldest_at: oldestAt }) => ({
    chain,
    stage,
    count: Number(count),
    oldestAt,
    oldestSeconds: Math.max(0, Math.floor(secondsBetween(oldestAt, now))),
  }));
}

/** The result of comparing ledger and chain, and whether it pauses the chain's payouts. */
export type Reconciled = DifferenceState & { readonly pause: OperatedPause | null };

/** The newest comparison of each currency. */
export async function listReconciliations({
  db,
  clock,
  listPauses,
}: Pick<ChainsContext, "db" | "clock" | "listPauses">): Promise<readonly Reconciled[]> {
  const [rows, pauses] = await Promise.all([readReconciliation(db), listPauses(db, clock.now())]);
  return rows.map((row) => ({
    ...row,
    pause:
      pauses.find(
        ({ kind, scope }) => kind === "reconciliation" && scope === `chain/${row.chain}`,
      ) ?? null,
  }));
}
