import { type Executor, statement } from "../platform/db/database.ts";
import type { Instant } from "../platform/kernel/clock.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";
import { formatTimestamp } from "../platform/kernel/timestamp.ts";

const upsertStatement = statement<{
  differsSince: Instant | null;
  differsSinceHeight: string | null;
}>(
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
   returning differs_since as "differsSince", differs_since_height as "differsSinceHeight"`,
);

/** Records a comparison; returns the time and height at which the difference began, or null if there is none. */
export async function upsertReconciliation(
  db: Executor,
  found: {
    readonly chain: string;
    readonly currency: CurrencyId;
    readonly height: number;
    readonly ledgerUnits: bigint;
    readonly chainUnits: bigint;
  },
  now: Instant,
): Promise<{ readonly differsSince: Instant; readonly differsSinceHeight: number } | null> {
  const [row] = await db.query(upsertStatement, [
    found.chain,
    found.currency,
    found.height,
    found.ledgerUnits,
    found.chainUnits,
    formatTimestamp(now),
  ]);
  const { differsSince = null, differsSinceHeight = null } = row ?? {};
  if (differsSince === null || differsSinceHeight === null) return null;
  return { differsSince, differsSinceHeight: Number(differsSinceHeight) };
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
