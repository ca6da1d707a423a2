import { admission, isAdmitted } from "../../platform/db/admission.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import { databaseOrigin } from "../../platform/db/database-origin.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

export type MarkRow = {
  readonly generation: number;
  readonly isSettled: boolean;
  /** Written in another cluster, database or table: this one is a copy. */
  readonly isCopy: boolean;
  /** Written in this database before its server was promoted. */
  readonly isPromoted: boolean;
  /** When it was written, each commit waited until a standby had flushed it. */
  readonly wasSynchronous: boolean;
  /** Each commit waits for a standby now. */
  readonly isSynchronous: boolean;
  /** This server received its log from a primary until it was promoted; false again after a restart. */
  readonly hasStreamed: boolean;
  /** A worker has used this database before. */
  readonly isOwned: boolean;
  readonly isAdmitted: boolean;
  readonly isRecovering: boolean;
  /** Null before the first mark. */
  readonly updatedAt: Instant | null;
};

/** The last value of each sequence in the schema, "0" if unused. */
export type SequenceValues = Readonly<Record<string, string>>;

/** The same without the timeline: a promoted standby is the same database, a restored dump is not. */
const withoutTimeline = (text: string): string => `regexp_replace(${text}, '/[0-9A-F]{8}/', '/')`;

// `remote_write` is not enough: a standby that crashes has it in memory only.
const isSynchronous = `(
  current_setting('synchronous_standby_names') <> '' and current_setting('synchronous_commit') in ('on', 'remote_apply'))`;

type MarkColumns = Omit<MarkRow, "generation"> & { readonly generation: string };

const markColumns = `mark.generation, mark.is_settled as "isSettled", mark.is_recovering as "isRecovering",
  mark.origin is not null as "isOwned",
  mark.origin is not null and ${withoutTimeline("mark.origin")} <> ${withoutTimeline(databaseOrigin)} as "isCopy",
  mark.origin is not null and mark.origin <> ${databaseOrigin}
    and ${withoutTimeline("mark.origin")} = ${withoutTimeline(databaseOrigin)} as "isPromoted",
  mark.is_synchronous as "wasSynchronous", ${isSynchronous} as "isSynchronous",
  pg_last_wal_receive_lsn() is not null as "hasStreamed",
  ${isAdmitted} as "isAdmitted", mark.updated_at as "updatedAt"`;

const readStatement = statement<MarkColumns>(
  "database-mark.read",
  `select ${markColumns} from database_mark mark`,
);

const lockStatement = statement<MarkColumns>(
  "database-mark.lock",
  `select ${markColumns} from database_mark mark for update of mark`,
);

/** The current mark. */
export async function readMarkRow(db: Executor): Promise<MarkRow> {
  const [row] = await db.query(readStatement, []);
  return toMarkRow(present(row, "the mark"));
}

/** The same, locked for the rest of the transaction. */
export async function lockMarkRow(tx: Executor): Promise<MarkRow> {
  const [row] = await tx.query(lockStatement, []);
  return toMarkRow(present(row, "the mark"));
}

function toMarkRow(row: MarkColumns): MarkRow {
  return { ...row, generation: Number(row.generation) };
}

const numbersStatement = statement<{ name: string; number: string }>(
  "database-mark.numbers",
  `select class.relname as name, coalesce(pg_sequence_last_value(class.oid), 0) as number
   from pg_class class
   where class.relkind = 'S' and class.relnamespace = current_schema()::regnamespace`,
);

/** Includes values taken by open transactions. */
export async function readSequences(db: Executor): Promise<SequenceValues> {
  const rows = await db.query(numbersStatement, []);
  return Object.fromEntries(rows.map(({ name, number }) => [name, number]));
}

/** The row is locked while pools are retired. */
const whileItIsRecovered = { mayWait: true } as const;

const moveStatement = statement<{ generation: string }>(
  "database-mark.move",
  `update database_mark
   set generation = generation + 1, is_settled = $2::boolean, updated_at = $3::timestamptz, is_synchronous = ${isSynchronous}
   where generation = $1::bigint and not is_recovering returning generation`,
  whileItIsRecovered,
);

/** Advances the mark from `generation`; false if it has another generation by now. */
export async function advanceMarkRow(
  db: Executor,
  generation: number,
  isSettled: boolean,
  now: Instant,
): Promise<boolean> {
  const rows = await db.query(moveStatement, [generation, isSettled, formatTimestamp(now)]);
  return rows.length === 1;
}

const admitStatement = statement<{ generation: string }>(
  "database-mark.admit",
  `update database_mark mark set ${admission}, origin = ${databaseOrigin}
   where not is_recovering and generation >= $1::bigint
     and (origin is null or ${withoutTimeline("origin")} = ${withoutTimeline(databaseOrigin)})
   returning generation`,
  whileItIsRecovered,
);

/**
 * Allows addresses and ids to be issued, unless the database was found to be a copy or older than that generation. A promoted
 * standby counts as the same database.
 */
export async function admitDatabase(db: Executor, generation: number): Promise<boolean> {
  return (await db.query(admitStatement, [generation])).length === 1;
}

const beginStatement = statement<never>(
  "database-mark.begin-recovery",
  `update database_mark mark
   set is_recovering = true, is_settled = false, generation = greatest(generation, $1::bigint), origin = ${databaseOrigin},
     admitted_since = null, updated_at = $2::timestamptz`,
);

/** Stops issuing addresses and ids, and raises the mark to at least that generation. */
export async function beginRecovery(tx: Executor, generation: number, now: Instant): Promise<void> {
  await tx.query(beginStatement, [generation, formatTimestamp(now)]);
}

const endStatement = statement<never>(
  "database-mark.end-recovery",
  "update database_mark set is_recovering = false, updated_at = $1::timestamptz where is_recovering",
);

/** Ends a recovery in progress, if any. */
export async function endRecovery(tx: Executor, now: Instant): Promise<void> {
  await tx.query(endStatement, [formatTimestamp(now)]);
}

const raiseStatement = statement<{ raised: string }>(
  "database-mark.raise-numbers",
  `select setval(class.oid::regclass,
     greatest(pg_sequence_last_value(class.oid), known.number, 0) + $3::bigint) as raised
   from pg_class class
   left join unnest($1::text[], $2::bigint[]) as known (name, number) on known.name = class.relname
   where class.relkind = 'S' and class.relnamespace = current_schema()::regnamespace`,
);

// The feed's numbers come from no sequence.
const raiseFeedStatement = statement<never>(
  "database-mark.raise-feed",
  "update event_feed set last_seq = last_seq + $1::bigint",
);

/** Advances every sequence by `margin` beyond its last value and its known value. */
export async function advanceSequences(
  tx: Executor,
  known: SequenceValues,
  margin: number,
): Promise<void> {
  await tx.query(raiseStatement, [Object.keys(known), Object.values(known), margin]);
  await tx.query(raiseFeedStatement, [margin]);
}

// Not setval: others may take values at the same time.
const catchUpStatement = statement<never>(
  "database-mark.catch-up",
  `select nextval(class.oid::regclass)
   from pg_class class
   join unnest($1::text[], $2::bigint[]) as known (name, number) on known.name = class.relname
   cross join lateral generate_series(coalesce(pg_sequence_last_value(class.oid), 0) + 1, known.number)
   where class.relkind = 'S' and class.relnamespace = current_schema()::regnamespace`,
);

/** Takes values until no sequence is behind its known value. */
export async function catchUpSequences(db: Executor, known: SequenceValues): Promise<void> {
  await db.query(catchUpStatement, [Object.keys(known), Object.values(known)]);
}

const retireStatement = statement<{ retired: string }>(
  "database-mark.retire-addresses",
  `with waiting as (
     select keyspace, watch_key, row_number() over (partition by keyspace, address_type order by key_index) as place
     from address where deposit_id is null),
   retired as (
     delete from address a using waiting w
     where a.keyspace = w.keyspace and a.watch_key = w.watch_key and a.deposit_id is null
       and ($1::bigint is null or w.place <= $1::bigint)
     returning 1)
   select count(*) as retired from retired`,
);

/** Removes addresses without a deposit from each pool: the next `count` that would be issued, or all if null. Returns how many. */
export async function retireAddresses(tx: Executor, count: number | null): Promise<number> {
  const [row] = await tx.query(retireStatement, [count]);
  return Number(present(row, "a count").retired);
}

const paceStatement = statement<{ newest: Instant | null; recent: string }>(
  "database-mark.pace",
  `with latest as (select created_at from deposit order by id desc limit 10000)
   select max(created_at) as newest,
     count(*) filter (where created_at > (select max(created_at) from latest) - make_interval(secs => $1)) as recent
   from latest`,
);

/** When the newest deposit was created, and how many were created within that many seconds before it. */
export async function readDepositPace(
  tx: Executor,
  seconds: number,
): Promise<{ readonly newest: Instant | null; readonly recent: number }> {
  const [row] = await tx.query(paceStatement, [seconds]);
  const { newest, recent } = present(row, "a count");
  return { newest, recent: Number(recent) };
}

const recoveryHolder = "recovery of the database";

const suspendFollowersStatement = statement<never>(
  "database-mark.hold-chains",
  `update chain_cursor
   set lease_holder = $1, lease_expires_at = $2::timestamptz, fence = fence + 1, updated_at = $3::timestamptz`,
);

/** Takes all chains from their followers: nothing is read until the lease expires or `resumeFollowers` runs. */
export async function suspendFollowers(
  tx: Executor,
  expiresAt: Instant,
  now: Instant,
): Promise<void> {
  await tx.query(suspendFollowersStatement, [
    recoveryHolder,
    formatTimestamp(expiresAt),
    formatTimestamp(now),
  ]);
}

const freeChainsStatement = statement<never>(
  "database-mark.free-chains",
  `update chain_cursor set lease_holder = null, lease_expires_at = null, updated_at = $2::timestamptz
   where lease_holder = $1`,
);

/** Releases the leases that `suspendFollowers` took. */
export async function resumeFollowers(tx: Executor, now: Instant): Promise<void> {
  await tx.query(freeChainsStatement, [recoveryHolder, formatTimestamp(now)]);
}
