import { type Executor, statement } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";

export type ChainState = {
  readonly chain: string;
  readonly height: string | null;
  readonly node_height: string | null;
  readonly caught_up_at: Instant | null;
  readonly scanned_blocks: bigint;
};

const readChains = statement<ChainState>(
  "operations.read-chains",
  `select c.chain, c.height, c.node_height, c.caught_up_at,
     coalesce((select sum(r.to_height - r.from_height + 1) from scanned_range r where r.chain = c.chain), 0)::numeric
       as scanned_blocks
   from chain_cursor c order by c.chain`,
);

/** How far each chain was read, from the shared database. */
export function readChainStates(db: Executor): Promise<readonly ChainState[]> {
  return db.query(readChains);
}

export type QueueState = {
  readonly pending: string;
  readonly exhausted: string;
  readonly oldest_due_at: Instant | null;
};

const readQueue = statement<QueueState>(
  "operations.read-queue",
  `select
     (select count(*) from callback where status = 'pending') as pending,
     (select count(*) from callback where status = 'exhausted') as exhausted,
     (select min(due_at) from callback where status = 'pending') as oldest_due_at`,
  { mayTakeLong: true },
);

/** The number of waiting and exhausted callbacks, and since when the oldest is due. Counts every row. */
export async function readCallbackQueue(db: Executor): Promise<QueueState> {
  const [row] = await db.query(readQueue);
  return row ?? { pending: "0", exhausted: "0", oldest_due_at: null };
}

export type DifferenceState = {
  readonly chain: string;
  readonly currency: string;
  /** The block of the comparison. */
  readonly height: string;
  readonly checked_at: Instant;
  readonly ledger_units: bigint;
  readonly chain_units: bigint;
  readonly differs_since: Instant | null;
};

const readDifferences = statement<DifferenceState>(
  "operations.read-differences",
  `select chain, currency, height, checked_at, ledger_units, chain_units, differs_since from reconciliation order by chain, currency`,
);

/** Ledger and chain per currency, at the last reconciliation. */
export function readReconciliation(db: Executor): Promise<readonly DifferenceState[]> {
  return db.query(readDifferences);
}

const readIsReadOnlyStatement = statement<{ readonly is_read_only: boolean }>(
  "operations.read-is-read-only",
  `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as is_read_only`,
);

/** Whether the database refuses to write. */
export async function readIsReadOnly(db: Executor): Promise<boolean> {
  const [row] = await db.query(readIsReadOnlyStatement);
  return present(row, "the server's state").is_read_only;
}

export type ReconciliationRun = {
  readonly chain: string;
  /** When all currencies of the chain were last compared; null if never. */
  readonly completed_at: Instant | null;
  /** Why the newest attempt did not complete; null if it did. */
  readonly failure: string | null;
};

const readRuns = statement<ReconciliationRun>(
  "operations.read-reconciliation-runs",
  "select chain, completed_at, failure from reconciliation_run order by chain",
);

/** The newest attempts to compare each chain with the ledger. */
export function readReconciliationRuns(db: Executor): Promise<readonly ReconciliationRun[]> {
  return db.query(readRuns);
}

/** A kind of address; `addressType` is empty on chains with one form of address. */
export type PoolKind = { readonly keyspace: string; readonly addressType: string };

// Counted per kind: an empty pool has no row to group by.
const pools = statement<PoolKind & { readonly free: string }>(
  "operations.read-pools",
  `select kind.keyspace, kind.address_type as "addressType",
     (select count(*) from address a
      where a.keyspace = kind.keyspace and a.address_type = kind.address_type and a.deposit_id is null) as free
   from unnest($1::text[], $2::text[]) as kind (keyspace, address_type)`,
  { mayTakeLong: true },
);

/** Deposit addresses available in the pool of each kind; 0 where there is none. */
export function readPools(db: Executor, kinds: readonly PoolKind[]) {
  return db.query(pools, [
    kinds.map(({ keyspace }) => keyspace),
    kinds.map(({ addressType }) => addressType),
  ]);
}

const unfunded = statement<{
  readonly chain: string;
  readonly address: string;
  readonly tag: string | null;
  readonly purpose: "hot" | "gas" | "change";
}>(
  "operations.read-unfunded",
  `select c.chain, a.address, a.tag, a.purpose
   from unnest($1::text[], $2::text[]) as c (chain, keyspace) join treasury_address a using (keyspace)
   where a.key_index = 0
     and not exists (select from treasury_arrival r where r.watch_key = a.watch_key and r.chain = c.chain)
   order by c.chain, a.purpose`,
);

/** The first of our own addresses per chain and purpose that never received anything on that chain. */
export function readUnfunded(
  db: Executor,
  chains: readonly { readonly chain: string; readonly keyspace: string }[],
) {
  return db.query(unfunded, [
    chains.map(({ chain }) => chain),
    chains.map(({ keyspace }) => keyspace),
  ]);
}

const payoutStages = statement<{
  readonly chain: string;
  readonly stage: string;
  readonly count: string;
  readonly oldest_at: Instant;
}>(
  "operations.read-payout-stages",
  `select chain, stage, count(*) as count, min(created_at) as oldest_at from payout
   where stage in ('waiting', 'held', 'blocked', 'sending', 'included') group by 1, 2 order by 1, 2`,
  { mayTakeLong: true },
);

/** Unfinished payouts by chain and stage. */
export function readPayoutStages(db: Executor) {
  return db.query(payoutStages);
}

const waitingReceipts = statement<{ readonly currency: string; readonly count: string }>(
  "operations.read-waiting-receipts",
  `select currency, count(*) as count from unattributed
   where state = 'waiting' and block_height is not null group by currency`,
);

/** How many unattributed payments wait for an operator, by currency; currencies without any are absent. */
export function readWaitingReceipts(db: Executor) {
  return db.query(waitingReceipts);
}

const burntFees = statement<{
  readonly chain: string;
  readonly kind: string;
  readonly burnt: number;
}>(
  "operations.read-burnt-fees",
  `select chain, kind, sum(burnt_units)::float8 as burnt from spend where burnt_units is not null group by 1, 2 order by 1, 2`,
  { mayTakeLong: true },
);

/** Approximate network fees of our own transactions, in units of the chain's coin: for gauges, which are floats. */
export function readSpentFees(db: Executor) {
  return db.query(burntFees);
}
