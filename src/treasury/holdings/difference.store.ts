import type { Notice } from "../../notifications/notice.ts";
import { recordNotices } from "../../notifications/record-notices.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

/** A difference between the books and the chain, as of the last comparison. */
export type Difference = {
  readonly currency: string;
  readonly height: number;
  readonly ledgerUnits: bigint;
  readonly chainUnits: bigint;
  readonly since: Instant;
  readonly sinceHeight: number;
};

type DifferenceColumns = Omit<Difference, "height" | "sinceHeight"> & {
  readonly height: string;
  readonly sinceHeight: string;
};

const readStatement = statement<DifferenceColumns>(
  "difference.read",
  `select currency, height, ledger_units as "ledgerUnits", chain_units as "chainUnits", differs_since as since,
     coalesce(differs_since_height, height) as "sinceHeight"
   from reconciliation
   where chain = $1 and currency = any($2::text[]) and differs_since is not null
   order by currency`,
);

/** Currencies of the chain whose books and chain differed in their last comparison. */
export async function readDifferences(
  db: Executor,
  chain: string,
  currencies: readonly string[],
): Promise<readonly Difference[]> {
  const rows = await db.query(readStatement, [chain, currencies]);
  return rows.map((row) => ({
    ...row,
    height: Number(row.height),
    sinceHeight: Number(row.sinceHeight),
  }));
}

const stopStatement = statement<{ scope: string }>(
  "difference.stop-payouts",
  `insert into payout_stop (scope, by_reconciliation, reason, created_at) values ($1, true, $2, $3)
   on conflict (scope, by_reconciliation) do nothing returning scope`,
);

/** Returns false if reconciliation has paused them already. */
export async function pauseByReconciliation(
  tx: Executor,
  chain: string,
  reason: string,
  now: Instant,
): Promise<boolean> {
  const rows = await tx.query(stopStatement, [`chain/${chain}`, reason, formatTimestamp(now)]);
  if (rows.length === 0) return false;
  const notice: Notice = {
    audience: "deployment",
    event: {
      kind: "payouts_stopped",
      chain,
      wallet: null,
      cause: "reconciliation",
      // It would reveal what the deployment holds.
      reason: null,
    },
    paidDepositId: null,
  };
  await recordNotices(tx, [notice], now);
  return true;
}

const liftStatement = statement<{ scope: string }>(
  "difference.lift-stop",
  "delete from payout_stop where scope = $1 and by_reconciliation returning scope",
);

/** Returns false if nothing was paused. A kill switch stays on. */
export async function resumeByReconciliation(
  tx: Executor,
  chain: string,
  now: Instant,
): Promise<boolean> {
  const rows = await tx.query(liftStatement, [`chain/${chain}`]);
  if (rows.length === 0) return false;
  const notice: Notice = {
    audience: "deployment",
    event: {
      kind: "payouts_resumed",
      chain,
      wallet: null,
      cause: "reconciliation",
      by: null,
      at: formatTimestamp(now),
    },
    paidDepositId: null,
  };
  await recordNotices(tx, [notice], now);
  return true;
}
