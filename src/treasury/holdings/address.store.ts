import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

export type TreasuryPurpose = "hot" | "gas" | "change";

/** One of the deployment's own addresses; `addressType` is empty on chains with a single address type. */
export type TreasuryAddress = {
  readonly keyspace: string;
  readonly watchKey: string;
  readonly address: string;
  /** Of the operator's own money, on an account that deposits share. */
  readonly tag: string | null;
  readonly addressType: string;
  readonly purpose: TreasuryPurpose;
  readonly keyIndex: number;
  /** False: watched ahead of use. */
  readonly isIssued: boolean;
};

const addStatement = statement<never>(
  "treasury-address.add",
  `insert into treasury_address (keyspace, watch_key, address, tag, address_type, purpose, key_index, issued_at, created_at)
   select fresh.keyspace, fresh.watch_key, fresh.address, fresh.tag, fresh.address_type, fresh.purpose, fresh.key_index,
     case when fresh.is_issued then $1::timestamptz end, $1::timestamptz
   from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::boolean[])
     as fresh (keyspace, watch_key, address, tag, address_type, purpose, key_index, is_issued)
   on conflict do nothing`,
);

/** Starts watching addresses; those already watched stay unchanged. */
export async function addAddresses(
  db: Executor,
  addresses: readonly TreasuryAddress[],
  now: Instant,
): Promise<void> {
  if (addresses.length === 0) return;
  await db.query(addStatement, [
    formatTimestamp(now),
    addresses.map(({ keyspace }) => keyspace),
    addresses.map(({ watchKey }) => watchKey),
    addresses.map(({ address }) => address),
    addresses.map(({ tag }) => tag),
    addresses.map(({ addressType }) => addressType),
    addresses.map(({ purpose }) => purpose),
    addresses.map(({ keyIndex }) => keyIndex),
    addresses.map(({ isIssued }) => isIssued),
  ]);
}

const firstStatement = statement<{ purpose: TreasuryPurpose; address: string }>(
  "treasury-address.first",
  `select purpose, address from treasury_address where keyspace = $1 and key_index = 0`,
);

/** The watched address with index 0 of each purpose. */
export async function firstAddresses(
  db: Executor,
  keyspace: string,
): Promise<ReadonlyMap<TreasuryPurpose, string>> {
  const rows = await db.query(firstStatement, [keyspace]);
  return new Map(rows.map(({ purpose, address }) => [purpose, address]));
}

const highestWatchedStatement = statement<{ index: string | null }>(
  "treasury-address.highest-watched",
  `select coalesce(
     (select max(key_index) from treasury_address where keyspace = $1 and purpose = 'change' and issued_at is null),
     (select max(key_index) from treasury_address where keyspace = $1 and purpose = 'change')) as index`,
);

/** The highest watched change address, preferring those not issued yet; null if there is none. */
export async function highestWatched(db: Executor, keyspace: string): Promise<number | null> {
  const [row] = await db.query(highestWatchedStatement, [keyspace]);
  return row === undefined || row.index === null ? null : Number(row.index);
}

const highestIssuedStatement = statement<{ index: string | null }>(
  "treasury-address.highest-issued",
  `select max(key_index) as index from treasury_address
   where keyspace = $1 and purpose = 'change' and issued_at is not null`,
);

/** The highest issued change address; null if none is issued. Reads all of them: call it at start only. */
export async function highestIssued(db: Executor, keyspace: string): Promise<number | null> {
  const [row] = await db.query(highestIssuedStatement, [keyspace]);
  return row === undefined || row.index === null ? null : Number(row.index);
}

export type IssuedChange = {
  readonly address: string;
  readonly addressType: string;
  readonly keyIndex: number;
};

const issueStatement = statement<{
  address: string;
  addressType: string;
  keyIndex: string;
}>(
  "treasury-address.issue-change",
  `update treasury_address as taken set issued_at = $2::timestamptz
   where (keyspace, watch_key) = (
     select keyspace, watch_key from treasury_address
     where keyspace = $1 and purpose = 'change' and issued_at is null
     order by key_index limit 1 for update skip locked)
   returning address, address_type as "addressType", key_index as "keyIndex"`,
);

/** Issues the lowest unused change address; null if none is watched ahead. */
export async function issueChange(
  tx: Executor,
  keyspace: string,
  now: Instant,
): Promise<IssuedChange | null> {
  const [row] = await tx.query(issueStatement, [keyspace, formatTimestamp(now)]);
  return row === undefined ? null : { ...row, keyIndex: Number(row.keyIndex) };
}

const noteUsedStatement = statement<{ index: string }>(
  "treasury-address.note-used",
  `update treasury_address set issued_at = $3::timestamptz
   where keyspace = $1 and watch_key = any($2::text[]) and issued_at is null
   returning key_index as index`,
);

/**
 * Marks addresses as issued that received money although this database never issued them. Returns the highest index, null for
 * none.
 */
export async function markIssued(
  tx: Executor,
  keyspace: string,
  watchKeys: readonly string[],
  now: Instant,
): Promise<number | null> {
  const rows = await tx.query(noteUsedStatement, [keyspace, watchKeys, formatTimestamp(now)]);
  return rows.length === 0 ? null : Math.max(...rows.map(({ index }) => Number(index)));
}
