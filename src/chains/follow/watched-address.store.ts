import { type Executor, statement } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";

/** A watched address: a deposit's, or one of the deployment's own. */
export type WatchedAddress = {
  readonly watchKey: string;
  readonly addressType: string;
  readonly keyIndex: number;
} & (
  | {
      readonly kind: "deposit";
      readonly accountId: string;
      readonly walletId: string;
      readonly depositId: string;
    }
  | { readonly kind: "own"; readonly purpose: "hot" | "gas" | "change" }
);

type WatchedColumns = {
  readonly watchKey: string;
  readonly addressType: string;
  readonly keyIndex: string;
  readonly accountId: string | null;
  readonly walletId: string | null;
  readonly depositId: string | null;
  readonly purpose: "hot" | "gas" | "change" | null;
};

const watchedAmongStatement = statement<WatchedColumns>(
  "watched-address.among",
  `select watch_key as "watchKey", address_type as "addressType", key_index as "keyIndex",
     account_id as "accountId", wallet_id as "walletId", deposit_id as "depositId", null as purpose
   from address
   where keyspace = $1 and watch_key = any($2::text[]) and deposit_id is not null
   union all
   select watch_key, address_type, key_index, null, null, null, purpose
   from treasury_address
   where keyspace = $1 and watch_key = any($2::text[])`,
);

/** The watched addresses among these (distinct) keys, in one statement for a whole block. */
export async function watchedAmong(
  db: Executor,
  keyspace: string,
  watchKeys: readonly string[],
): Promise<readonly WatchedAddress[]> {
  if (watchKeys.length === 0) return [];
  const rows = await db.query(watchedAmongStatement, [keyspace, watchKeys]);
  return rows.map(watchedFromRow);
}

function watchedFromRow(row: WatchedColumns): WatchedAddress {
  const { watchKey, addressType, accountId, walletId, depositId, purpose } = row;
  const key = { watchKey, addressType, keyIndex: Number(row.keyIndex) };
  if (purpose !== null) return { ...key, kind: "own", purpose };
  const inUse = "an address in use belongs to a deposit";
  return {
    ...key,
    kind: "deposit",
    accountId: present(accountId, inUse),
    walletId: present(walletId, inUse),
    depositId: present(depositId, inUse),
  };
}

const issuedAfterStatement = statement<{ watchKey: string; address: string }>(
  "watched-address.issued-after",
  `(select watch_key as "watchKey", address from address
    where keyspace = $1 and watch_key > $2 and deposit_id is not null
    order by watch_key limit $3::int)
   union all
   (select watch_key, address from treasury_address
    where keyspace = $1 and watch_key > $2
    order by watch_key limit $3::int)
   order by "watchKey" limit $3::int`,
);

/** A page of the addresses in use, of deposits and our own, ordered by watch key; start after `""`. */
export async function issuedAfter(
  db: Executor,
  keyspace: string,
  afterWatchKey: string,
  limit: number,
): Promise<readonly { readonly watchKey: string; readonly address: string }[]> {
  return db.query(issuedAfterStatement, [keyspace, afterWatchKey, limit]);
}

const firstIssuedStatement = statement<{ issuedAt: Instant | null }>(
  "watched-address.first-issued",
  `select least(
     (select min(issued_at) from address where keyspace = $1 and deposit_id is not null),
     (select min(created_at) from treasury_address where keyspace = $1)) as "issuedAt"`,
);

/** When the first address of a keyspace was issued; null if none was. Scans all: for first starts only. */
export async function firstIssuedAt(db: Executor, keyspace: string): Promise<Instant | null> {
  const [row] = await db.query(firstIssuedStatement, [keyspace]);
  return row?.issuedAt ?? null;
}

const countIssuedStatement = statement<{ count: string }>(
  "watched-address.count-issued",
  `select (select count(*) from address where keyspace = $1 and deposit_id is not null)
     + (select count(*) from treasury_address where keyspace = $1) as count`,
);

/** The number of addresses of a keyspace in use, including our own. */
export async function countIssued(db: Executor, keyspace: string): Promise<number> {
  const [row] = await db.query(countIssuedStatement, [keyspace]);
  return Number(row?.count ?? 0);
}
