import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

export type TreasuryPurpose = "hot" | "gas" | "change";

/** An address of the deployment's own; `addressType` is empty on chains with one form of address. */
export type TreasuryAddress = {
  readonly keyspace: string;
  readonly watchKey: string;
  readonly address: string;
  readonly addressType: string;
  readonly purpose: TreasuryPurpose;
  readonly keyIndex: number;
  /** False: watched ahead of its use. */
  readonly isIssued: boolean;
};

const addStatement = statement<never>(
  "treasury-address.add",
  `insert into treasury_address (keyspace, watch_key, address, address_type, purpose, key_index, issued_at, created_at)
   select fresh.keyspace, fresh.watch_key, fresh.address, fresh.address_type, fresh.purpose, fresh.key_index,
     case when fresh.is_issued then $1::timestamptz end, $1::timestamptz
   from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::boolean[])
     as fresh (keyspace, watch_key, address, address_type, purpose, key_index, is_issued)
   on conflict do nothing`,
);

/** Watches them from here on; those that are watched already stay as they are. */
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

/** Number 0 of each purpose, as far as it is watched. */
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

/** The highest change address that is watched: one ahead of its use, as long as there are any. Null while there is none. */
export async function highestWatched(db: Executor, keyspace: string): Promise<number | null> {
  const [row] = await db.query(highestWatchedStatement, [keyspace]);
  return row === undefined || row.index === null ? null : Number(row.index);
}

const highestIssuedStatement = statement<{ index: string | null }>(
  "treasury-address.highest-issued",
  `select max(key_index) as index from treasury_address
   where keyspace = $1 and purpose = 'change' and issued_at is not null`,
);

/** The highest change address in use; null while none is. Reads them all: for starts. */
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

/** Takes the lowest change address that nobody uses; null when none is watched ahead. */
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

/** Puts addresses in use that money came to without this database knowing why; resolves with the highest, null for none. */
export async function markIssued(
  tx: Executor,
  keyspace: string,
  watchKeys: readonly string[],
  now: Instant,
): Promise<number | null> {
  const rows = await tx.query(noteUsedStatement, [keyspace, watchKeys, formatTimestamp(now)]);
  return rows.length === 0 ? null : Math.max(...rows.map(({ index }) => Number(index)));
}
