import { type Executor, statement } from "../platform/db/database.ts";
import type { Instant } from "../platform/kernel/clock.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";
import { formatTimestamp } from "../platform/kernel/timestamp.ts";

/** What was recorded of the last comparison, as far as another one or `adjustBooks` changes it. */
export type LastComparison = {
  readonly checkedAt: Instant;
  readonly ledgerUnits: bigint;
  readonly differsSince: Instant | null;
};

/** Writes nothing over a row that is not the expected one any more. */
const upsertStatement = statement<{ differsSince: Instant | null }>(
  "reconcile.upsert",
  `insert into reconciliation as known
     (chain, currency, height, ledger_units, chain_units, checked_at, differs_since, differs_since_height)
   values ($1, $2, $3::bigint, $4::numeric, $5::numeric, $6::timestamptz,
     case when $4::numeric = $5::numeric then null else $6::timestamptz end,
     case when $4::numeric = $5::numeric then null else $3::bigint end)
   on conflict (chain, currency) do update
     set height = excluded.height, ledger_units = excluded.ledger_units, chain_units = excluded.chain_units,
       checked_at = excluded.checked_at,
       differs_since = case when excluded.differs_since is null then null
         else coalesce(known.differs_since, excluded.differs_since) end,
       differs_since_height = case when excluded.differs_since is null then null
         else coalesce(known.differs_since_height, excluded.differs_since_height) end
   where known.checked_at = $7::timestamptz and known.ledger_units = $8::numeric
     and known.differs_since is not distinct from $9::timestamptz
   returning differs_since as "differsSince"`,
);

/**
 * Records a comparison that began when `last` was recorded; null if nothing was. `outdated`: another comparison was recorded since then, or the
 * books were adjusted by the difference that was found; then this one does not know these postings, and nothing is recorded.
 */
export async function upsertReconciliation(
  db: Executor,
  found: {
    readonly chain: string;
    readonly currency: CurrencyId;
    readonly height: number;
    readonly ledgerUnits: bigint;
    readonly chainUnits: bigint;
  },
  last: LastComparison | null,
  now: Instant,
): Promise<"equal" | "differs" | "outdated"> {
  const [row] = await db.query(upsertStatement, [
    found.chain,
    found.currency,
    found.height,
    found.ledgerUnits,
    found.chainUnits,
    formatTimestamp(now),
    last === null ? null : formatTimestamp(last.checkedAt),
    last?.ledgerUnits ?? null,
    last?.differsSince == null ? null : formatTimestamp(last.differsSince),
  ]);
  if (row === undefined) return "outdated";
  return row.differsSince === null ? "equal" : "differs";
}

const lockDifferenceStatement = statement<{
  height: string;
  ledgerUnits: bigint;
  chainUnits: bigint;
}>(
  "reconcile.lock-difference",
  `select height, ledger_units as "ledgerUnits", chain_units as "chainUnits" from reconciliation
   where chain = $1 and currency = $2 and differs_since is not null for update`,
);

/** Locks and returns the difference that the last comparison found; null if there was none. */
export async function lockDifference(
  tx: Executor,
  chain: string,
  currency: CurrencyId,
): Promise<{
  readonly height: string;
  readonly ledgerUnits: bigint;
  readonly chainUnits: bigint;
} | null> {
  const [row] = await tx.query(lockDifferenceStatement, [chain, currency]);
  return row ?? null;
}

const settleStatement = statement<never>(
  "reconcile.settle-difference",
  `update reconciliation set ledger_units = chain_units, differs_since = null, differs_since_height = null
   where chain = $1 and currency = $2`,
);

/** Marks the difference as settled: the ledger now matches the chain. */
export async function settleDifference(
  tx: Executor,
  chain: string,
  currency: CurrencyId,
): Promise<void> {
  await tx.query(settleStatement, [chain, currency]);
}
