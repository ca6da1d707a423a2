import { type Executor, statement } from "../../platform/db/database.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

/** A kind of address; `addressType` is empty on chains with one form of address. */
export type AddressKind = { readonly keyspace: string; readonly addressType: string };

export type PoolState = {
  /** Unused addresses, counted up to the given limit. */
  readonly free: number;
  /** The highest index of any address of the kind, in use or not; null while there is none. */
  readonly highestIndex: number | null;
  /** The highest index that was set aside for the signer to record; null while there is none. */
  readonly reservedIndex: number | null;
};

/** An address that a deposit may get. */
export type PooledAddress = {
  readonly index: number;
  readonly watchKey: string;
  readonly address: string;
  readonly tag: string | null;
  /** See `PayeeAddressing.spell`; null where each address has one spelling. */
  readonly spellings: Readonly<Record<string, string>> | null;
};

type PoolColumns = {
  readonly free: string;
  readonly highestIndex: string | null;
  readonly reservedIndex: string | null;
};

const readPoolsStatement = statement<PoolColumns>(
  "address-pool.read",
  `select
     (select count(*) from (
        select from address a
        where a.keyspace = kind.keyspace and a.address_type = kind.address_type and a.deposit_id is null
        limit $3::int) as waiting) as free,
     (select a.key_index from address a
      where a.keyspace = kind.keyspace and a.address_type = kind.address_type
      order by a.key_index desc limit 1) as "highestIndex",
     (select r.last_index from address_reservation r
      where r.keyspace = kind.keyspace and r.address_type = kind.address_type) as "reservedIndex"
   from unnest($1::text[], $2::text[]) with ordinality as kind (keyspace, address_type, place)
   order by kind.place`,
);

/** The state of each pool, in the order of the kinds. Counting stops at `limit`. */
export async function readPools(
  db: Executor,
  kinds: readonly AddressKind[],
  limit: number,
): Promise<readonly PoolState[]> {
  const rows = await db.query(readPoolsStatement, [
    kinds.map(({ keyspace }) => keyspace),
    kinds.map(({ addressType }) => addressType),
    limit,
  ]);
  return rows.map(({ free, highestIndex, reservedIndex }) => ({
    free: Number(free),
    highestIndex: highestIndex === null ? null : Number(highestIndex),
    reservedIndex: reservedIndex === null ? null : Number(reservedIndex),
  }));
}

const reserveStatement = statement<{ lastIndex: string }>(
  "address-pool.reserve",
  `insert into address_reservation as own (keyspace, address_type, last_index)
   values ($1, $2, $3::bigint + $4::bigint - 1)
   on conflict (keyspace, address_type)
     do update set last_index = greatest(own.last_index + 1, $3::bigint) + $4::bigint - 1
   returning last_index as "lastIndex"`,
  { mayWait: true },
);

/** Sets the next `count` indexes aside that nobody has, not below `first`; resolves with the first of them. */
export async function reserveIndexes(
  db: Executor,
  { keyspace, addressType }: AddressKind,
  { first, count }: { readonly first: number; readonly count: number },
): Promise<number> {
  const [row] = await db.query(reserveStatement, [keyspace, addressType, first, count]);
  return Number(present(row, "a reservation").lastIndex) - count + 1;
}

const addStatement = statement<{ added: string }>(
  "address-pool.add",
  `with added as (
     insert into address (keyspace, address_type, key_index, watch_key, address, tag, spellings, derived_at)
     select $1, $2, fresh.key_index, fresh.watch_key, fresh.address, fresh.tag, fresh.spellings::jsonb, $3::timestamptz
     from unnest($4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[])
       as fresh (key_index, watch_key, address, tag, spellings)
     returning 1)
   select count(*) as added from added`,
);

/** Adds addresses to the pool, from which deposits take them. Fails if one of them was ever in it. */
export async function addToPool(
  db: Executor,
  kind: AddressKind,
  addresses: readonly PooledAddress[],
  now: Instant,
): Promise<void> {
  const [row] = await db.query(addStatement, [
    kind.keyspace,
    kind.addressType,
    formatTimestamp(now),
    addresses.map(({ index }) => index),
    addresses.map(({ watchKey }) => watchKey),
    addresses.map(({ address }) => address),
    addresses.map(({ tag }) => tag),
    addresses.map(({ spellings }) => (spellings === null ? null : JSON.stringify(spellings))),
  ]);
  const added = Number(present(row, "a count").added);
  assert(added === addresses.length, "every address of the batch is in the pool");
}

const retireStatement = statement<{ retired: string }>(
  "address-pool.retire",
  `with retired as (
     delete from address where keyspace = $1 and address_type = $2 and deposit_id is null returning 1)
   select count(*) as retired from retired`,
);

/** Removes all unused addresses from the pool; resolves with their number. */
export async function retirePool(db: Executor, kind: AddressKind): Promise<number> {
  const [row] = await db.query(retireStatement, [kind.keyspace, kind.addressType]);
  return Number(present(row, "a count").retired);
}
