import { systemAccount } from "../../ledger/ledger-account.ts";
import type { LastComparison } from "../../ledger/reconcile.store.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import type { FollowedTreasury } from "./block-facts.ts";

/** The books of one currency on one chain, all as of the same block. */
export type Books = {
  readonly height: number;
  readonly hash: string;
  readonly ledgerUnits: bigint;
  /** The most that our own open transactions take away. */
  readonly leavingUnits: bigint;
  /** What pending payments would bring. */
  readonly arrivingUnits: bigint;
  /** The last watch key of the newest sample. */
  readonly sampledAfter: string;
  /** Null if there was none. */
  readonly last: LastComparison | null;
};

type BooksRow = Omit<Books, "height" | "last"> & {
  readonly height: string;
  readonly checkedAt: Instant | null;
  readonly lastUnits: bigint | null;
  readonly differsSince: Instant | null;
};

const balance = (
  account: string,
) => `(select coalesce(sum(units), 0) from posting where debit = ${account} and currency = $2)
     - (select coalesce(sum(units), 0) from posting where credit = ${account} and currency = $2)`;

const snapshotStatement = statement<never>(
  "comparison.snapshot",
  "set transaction isolation level repeatable read, read only",
);

/** Makes all later statements of the transaction see the same state, and so the books of one block. Call it first. */
export async function takeSnapshot(tx: Executor): Promise<void> {
  await tx.query(snapshotStatement);
}

const booksStatement = statement<BooksRow>(
  "comparison.books",
  `select c.height, c.hash, ${balance("$3")} as "ledgerUnits", ${balance("$4")} as "arrivingUnits",
     (select coalesce(sum(p.paid_units), 0) from payout p join spend s on s.id = p.spend_id
      where s.chain = $1 and s.state = 'open' and p.currency = $2)
     + (select coalesce(sum(s.left_units), 0) from spend s
        where s.chain = $1 and s.state = 'open' and s.left_currency = $2)
     + (select coalesce(sum((select max(a.fee_units) from spend_attempt a where a.spend_id = s.id)), 0) from spend s
        where s.chain = $1 and s.state = 'open' and s.fee_currency = $2) as "leavingUnits",
     coalesce(r.sampled_after, '') as "sampledAfter", r.checked_at as "checkedAt", r.ledger_units as "lastUnits",
     r.differs_since as "differsSince"
   from chain_cursor c left join reconciliation r on r.chain = c.chain and r.currency = $2
   where c.chain = $1 and c.hash is not null`,
);

/** Null if no block is booked. */
export async function readBooks(
  tx: Executor,
  chain: string,
  currency: CurrencyId,
): Promise<Books | null> {
  const [row] = await tx.query(booksStatement, [
    chain,
    currency,
    systemAccount("chain", currency),
    systemAccount("mempool", currency),
  ]);
  if (row === undefined) return null;
  const { checkedAt, lastUnits, differsSince, ...books } = row;
  const last =
    checkedAt === null || lastUnits === null
      ? null
      : { checkedAt, ledgerUnits: lastUnits, differsSince };
  return { ...books, height: Number(row.height), last };
}

export type ComparedAddress = { readonly watchKey: string; readonly address: string };

// A pending sweep may have reduced `holding` before the block that contains it is booked.
const heldStatement = statement<ComparedAddress>(
  "comparison.held-addresses",
  `select a.watch_key as "watchKey", a.address from address a
   where a.keyspace = $1 and a.watch_key in (
     select watch_key from holding where chain = $2 and currency = $3 and (units > 0 or $4::boolean)
     union select watch_key from sweep_source where chain = $2 and currency = $3 and settled_at is null
     union select watch_key from reconciliation_find where chain = $2 and currency = $3)
   union all
   select watch_key, address from treasury_address where keyspace = $1 and purpose in ('hot', 'gas')`,
);

/**
 * For account chains: our own accounts, and the deposit addresses that hold something according to the books, that a sweep is
 * emptying, or where a sample found something. `isWide` adds those that ever held something.
 */
export function readHeldAddresses(
  tx: Executor,
  { keyspace, chain }: Pick<FollowedTreasury, "keyspace" | "chain">,
  currency: CurrencyId,
  isWide: boolean,
): Promise<readonly ComparedAddress[]> {
  return tx.query(heldStatement, [keyspace, chain, currency, isWide]);
}

const sampleStatement = statement<ComparedAddress>(
  "comparison.sample",
  `(select watch_key as "watchKey", address from address
    where keyspace = $1 and watch_key > $2 and deposit_id is not null order by watch_key limit $3::int)
   union all
   (select watch_key, address from treasury_address
    where keyspace = $1 and watch_key > $2 order by watch_key limit $3::int)
   order by "watchKey" limit $3::int`,
);

/** Issued addresses, of deposits and our own, after a watch key, in watch key order. */
export function readSample(
  db: Executor,
  keyspace: string,
  after: string,
  limit: number,
): Promise<readonly ComparedAddress[]> {
  return db.query(sampleStatement, [keyspace, after, limit]);
}

export type ComparedCoin = {
  readonly outpoint: string;
  readonly units: bigint;
  readonly watchKey: string;
};

const coinsStatement = statement<ComparedCoin>(
  "comparison.coins",
  `select outpoint, units, watch_key as "watchKey" from coin
   where chain = $1 and block_height is not null and spent_height is null`,
);

/** For UTXO chains: our outputs that no booked block has spent. */
export function readUnspentCoins(tx: Executor, chain: string): Promise<readonly ComparedCoin[]> {
  return tx.query(coinsStatement, [chain]);
}

const missingStatement = statement<ComparedCoin & { readonly isBooked: boolean }>(
  "comparison.missing-coins",
  `select outpoint, units, watch_key as "watchKey",
     (select count(distinct hash) from chain_block where chain = $1 and hash = any($3::text[]))
       = cardinality($3::text[]) as "isBooked"
   from coin where chain = $1 and outpoint = any($2::text[]) and block_height is not null and spent_height is null`,
);

/**
 * Those of the outputs that the books still have. `isBooked`: the books contain all blocks of `hashes` by now, so none of these
 * blocks explains where an output went.
 */
export function readMissingCoins(
  db: Executor,
  chain: string,
  outpoints: readonly string[],
  hashes: readonly string[],
): Promise<readonly (ComparedCoin & { readonly isBooked: boolean })[]> {
  return db.query(missingStatement, [chain, outpoints, hashes]);
}

const findsStatement = statement<{ readonly units: bigint }>(
  "comparison.found-units",
  `select coalesce(sum(units), 0) as units from reconciliation_find f
   where chain = $1 and currency = $2 and not exists (select from coin c
     where c.chain = $1 and c.watch_key = f.watch_key and c.block_height is not null and c.spent_height is null)`,
);

/** For UTXO chains: what samples found at addresses that are empty according to the books. */
export async function readFoundUnits(
  tx: Executor,
  chain: string,
  currency: CurrencyId,
): Promise<bigint> {
  const [row] = await tx.query(findsStatement, [chain, currency]);
  return row?.units ?? 0n;
}

const foundStatement = statement<ComparedAddress>(
  "comparison.found-addresses",
  `select f.watch_key as "watchKey", coalesce(a.address, t.address) as address from reconciliation_find f
   left join address a on a.keyspace = $1 and a.watch_key = f.watch_key
   left join treasury_address t on t.keyspace = $1 and t.watch_key = f.watch_key
   where f.chain = $2 and f.currency = $3`,
);

/** Addresses where samples found something. */
export function readFoundAddresses(
  db: Executor,
  { keyspace, chain }: Pick<FollowedTreasury, "keyspace" | "chain">,
  currency: CurrencyId,
): Promise<readonly ComparedAddress[]> {
  return db.query(foundStatement, [keyspace, chain, currency]);
}

const forgetStatement = statement<never>(
  "comparison.forget-finds",
  "delete from reconciliation_find where chain = $1 and currency = $2 and watch_key = any($3::text[])",
);

const findStatement = statement<never>(
  "comparison.keep-finds",
  `insert into reconciliation_find (chain, currency, watch_key, units, found_at)
   select $1, $2, found.watch_key, found.units, $5::timestamptz
   from unnest($3::text[], $4::numeric[]) as found (watch_key, units)`,
);

const sampledStatement = statement<never>(
  "comparison.note-sample",
  "update reconciliation set sampled_after = $3 where chain = $1 and currency = $2",
);

/** The result of a sample: `looked` lists all addresses read, `found` those holding money that the books do not have there. */
export type SampleOutcome = {
  readonly looked: readonly string[];
  readonly found: ReadonlyMap<string, bigint>;
  /** Null if no sample was taken. */
  readonly sampledAfter: string | null;
};

/** Stores a sample, in the transaction that stores the comparison. */
export async function recordSample(
  tx: Executor,
  chain: string,
  currency: CurrencyId,
  { looked, found, sampledAfter }: SampleOutcome,
  now: Instant,
): Promise<void> {
  await tx.query(forgetStatement, [chain, currency, looked]);
  if (found.size > 0) {
    const values = [[...found.keys()], [...found.values()], formatTimestamp(now)];
    await tx.query(findStatement, [chain, currency, ...values]);
  }
  if (sampledAfter !== null) await tx.query(sampledStatement, [chain, currency, sampledAfter]);
}

const runStatement = statement<never>(
  "comparison.record-run",
  `insert into reconciliation_run as known (chain, tried_at, completed_at, failure)
   values ($1, $2::timestamptz, case when $3::text is null then $2::timestamptz end, $3)
   on conflict (chain) do update set tried_at = excluded.tried_at, failure = excluded.failure,
     completed_at = coalesce(excluded.completed_at, known.completed_at)`,
);

/** Records that all currencies of a chain were compared, or why not. */
export async function recordRun(
  db: Executor,
  chain: string,
  failure: string | null,
  now: Instant,
): Promise<void> {
  await db.query(runStatement, [chain, formatTimestamp(now), failure]);
}
