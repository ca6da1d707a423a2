import { isAdmitted } from "../../platform/db/admission.ts";
import {
  bytes,
  columnDefinitions,
  columnList,
  flag,
  orNull,
  type RecordOf,
  text,
  uuid,
  writeRecord,
} from "../../platform/db/columns.ts";
import { statement } from "../../platform/db/database.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { depositTerms } from "../deposit.ts";
import { depositStatus } from "../deposit-status.ts";
import { type CreationKey, creationKeySeconds } from "./creation-key.store.ts";

/** Maximum number of deposits per statement. The same bound gives the planner a row estimate. */
export const batchMax = 128;

/** What the insert statement writes as given. The chain and the sealed travel-rule data are not read back. */
const insertFields = {
  ...depositTerms,
  chain: orNull(text("chain")),
  /** False: the address is activated first, and shown only then. */
  isActive: flag("is_active"),
  travelRuleSealed: orNull(bytes("travel_rule_sealed")),
};

export type NewDeposit = RecordOf<typeof insertFields> & {
  /** Where the address comes from; null: the deposit has no address yet. */
  readonly keyspace: string | null;
  /** The type under which the pool keeps the addresses; absent: the deposit's own. */
  readonly poolType?: string;
};

const keyFields = {
  key: uuid("creation_key"),
  fingerprint: bytes("creation_fingerprint"),
};

export type KeyedDeposit = { readonly deposit: NewDeposit; readonly creationKey: CreationKey };

/**
 * Takes an address from the pool for each deposit that needs one, issues it and inserts the deposit. A deposit for which the pool
 * has no address is neither inserted nor returned. Concurrent batches take different addresses (`skip locked`). Nothing is
 * inserted while it is unknown whether the database is the newest one.
 * Keyed: the key is recorded with the deposit. If it is already in force, nothing changes and the chosen address stays in the
 * pool. Keys are inserted in sorted order, so that two batches cannot deadlock. The statement without keys is cheaper.
 * `free` is limited and sorted only for the planner: without either, it expects a tenth of the pool and compares every deposit
 * with every address (64 deposits took 12 ms, now 5).
 */
function insertSql({ isKeyed }: { readonly isKeyed: boolean }): string {
  const isWanted = (table: string) =>
    isKeyed ? `${table}.new_id in (select deposit_id from keyed)` : "true";
  const fields = isKeyed ? { ...insertFields, ...keyFields } : insertFields;
  return `with input as materialized (
     select nextval(pg_get_serial_sequence('deposit', 'id')) as new_id, d.*
     from json_to_recordset($1::json) as d (place bigint, turn bigint, keyspace text, pool_type text, ${columnDefinitions(fields)})
     where ${isAdmitted}),
   pool as (
     select keyspace, pool_type, count(*) as amount from input where keyspace is not null
     group by keyspace, pool_type),
   free as (
     select pool.keyspace, pool.pool_type, a.watch_key, a.address, a.tag, a.spellings,
       row_number() over (partition by pool.keyspace, pool.pool_type) as turn
     from pool cross join lateral (
       select * from (
         select watch_key, address, tag, spellings from address
         where keyspace = pool.keyspace and address_type = pool.pool_type and deposit_id is null
         order by key_index limit pool.amount for update skip locked) as few
       limit ${batchMax}) as a
     order by turn),
   taken as (
     select input.place, input.new_id, input.account_id, input.wallet_id, input.created_at, input.is_active, free.keyspace,
       free.watch_key, case when input.is_active then coalesce(free.spellings ->> input.address_type, free.address) end as address,
       case when input.is_active then free.tag end as tag
     from input join free using (keyspace, pool_type, turn)),
   ${isKeyed ? keyedCte : ""}
   issued as (
     update address set account_id = taken.account_id, wallet_id = taken.wallet_id, deposit_id = taken.new_id,
       issued_at = taken.created_at, needs_activation = not taken.is_active
     from taken
     where address.keyspace = taken.keyspace and address.watch_key = taken.watch_key and ${isWanted("taken")}),
   inserted as (
     insert into deposit (id, address, tag, status, updated_at, ${columnList(insertFields)})
     select i.new_id, taken.address, taken.tag, ${depositStatus.created}, i.created_at, ${columnList(insertFields, "i")}
     from input i left join taken using (place)
     where (i.keyspace is null or taken.place is not null) and ${isWanted("i")})
   select input.place, input.new_id as id, taken.address, taken.tag, not ${isWanted("input")} as is_key_used
   from input left join taken using (place)
   where input.keyspace is null or taken.place is not null`;
}

/** An expired key may be used again. */
const keyedCte = `keyed as (
     insert into deposit_key (account_id, key, deposit_id, fingerprint, created_at)
     select distinct on (i.account_id, i.creation_key) i.account_id, i.creation_key, i.new_id, i.creation_fingerprint, i.created_at
     from input i left join taken using (place)
     where i.keyspace is null or taken.place is not null
     order by i.account_id, i.creation_key
     on conflict (account_id, key) do update
       set deposit_id = excluded.deposit_id, fingerprint = excluded.fingerprint, created_at = excluded.created_at
       where deposit_key.created_at <= excluded.created_at - interval '${creationKeySeconds} seconds'
     returning deposit_id),`;

/** Each deposit with its position in the batch and its rank, from 1, among those that need an address of the same kind. */
export function inputRows(
  deposits: readonly NewDeposit[],
  keys: readonly CreationKey[] | null = null,
): readonly JsonObject[] {
  const turns = new Map<string, number>();
  return deposits.map((deposit, index) => {
    const poolType = deposit.poolType ?? deposit.addressType;
    const kind = `${deposit.keyspace ?? ""} ${poolType}`;
    const turn = (turns.get(kind) ?? 0) + 1;
    turns.set(kind, turn);
    const key = keys?.[index];
    return {
      place: index + 1,
      turn,
      keyspace: deposit.keyspace,
      pool_type: poolType,
      ...writeRecord(insertFields, deposit),
      ...(key === undefined ? {} : writeRecord(keyFields, key)),
    };
  });
}

/** The columns that the database adds to a new deposit. */
export type IssuedRow = {
  readonly place: string;
  readonly id: string;
  readonly address: string | null;
  readonly tag: string | null;
  readonly is_key_used: boolean;
};

export const insertUnkeyed = statement<IssuedRow>("create.insert", insertSql({ isKeyed: false }));
export const insertKeyed = statement<IssuedRow>(
  "create.insert-keyed",
  insertSql({ isKeyed: true }),
);
