import { isAdmitted } from "../../platform/db/admission.ts";
import { statement } from "../../platform/db/database.ts";
import { creationKeySeconds } from "./creation-key.store.ts";

/** Most deposits in one statement: also the bound that tells the planner how few rows it deals with. */
export const batchMax = 128;

/** The columns of `input`, as `depositToRow` writes them. */
const inputColumns = `
  place bigint, turn bigint, keyspace text, account_id bigint, wallet_id bigint, status smallint, wallet_type smallint,
  wallet_currency text, currency text, chain text, address_type text, label text, tracking_id text,
  confirmations_needed smallint, time_limit integer, invoice_updated_at timestamptz, expires_at timestamptz,
  callback_url text, payment_page_id uuid, payment_page_redirect_url text, payment_page_button_text text,
  help_email text, inaccuracy numeric, target_amount_requested numeric, rate numeric, rate_exp smallint,
  rate_expires_at timestamptz, source_amount_requested numeric, commission_rate_ppm integer,
  commission_fixed_units numeric, commission_minimum_units numeric, travel_rule_sealed bytea,
  created_by_credential_id bigint, created_at timestamptz`;
const keyColumns = ", creation_key uuid, creation_fingerprint bytea";

/**
 * Takes an address from the pool for each deposit that needs one, issues it and inserts the deposit; a deposit for which the
 * pool has none is not inserted and not returned. Two batches at once take different addresses (`skip locked`). While it is not
 * known whether the database is the newest one, none is inserted.
 *
 * Keyed: the key is recorded with the deposit, and one that is in force already leaves everything as it was. The addresses chosen
 * for such a deposit stay in the pool. Keys are taken in their order, so that two batches never wait for each other. An unkeyed
 * deposit needs none of this, and its statement stays the cheaper one.
 *
 * `free` is bounded and sorted for the planner's sake only: without either it expects a tenth of the pool, and joins by
 * comparing every deposit with every address (64 deposits took 12 ms, now 5).
 */
function insertSql({ isKeyed }: { readonly isKeyed: boolean }): string {
  const isWanted = (table: string) =>
    isKeyed ? `${table}.new_id in (select deposit_id from keyed)` : "true";
  return `with input as materialized (
     select nextval(pg_get_serial_sequence('deposit', 'id')) as new_id, d.*
     from json_to_recordset($1::json) as d (${inputColumns}${isKeyed ? keyColumns : ""})
     where ${isAdmitted}),
   pool as (
     select keyspace, address_type, count(*) as amount from input where keyspace is not null
     group by keyspace, address_type),
   free as (
     select pool.keyspace, pool.address_type, a.watch_key, a.address, a.tag,
       row_number() over (partition by pool.keyspace, pool.address_type) as turn
     from pool cross join lateral (
       select * from (
         select watch_key, address, tag from address
         where keyspace = pool.keyspace and address_type = pool.address_type and deposit_id is null
         order by key_index limit pool.amount for update skip locked) as few
       limit ${batchMax}) as a
     order by turn),
   taken as (
     select input.place, input.new_id, input.account_id, input.wallet_id, input.created_at, free.keyspace,
       free.watch_key, free.address, free.tag
     from input join free using (keyspace, address_type, turn)),
   ${isKeyed ? keyedCte : ""}
   issued as (
     update address set account_id = taken.account_id, wallet_id = taken.wallet_id, deposit_id = taken.new_id,
       issued_at = taken.created_at
     from taken
     where address.keyspace = taken.keyspace and address.watch_key = taken.watch_key and ${isWanted("taken")}),
   inserted as (
     insert into deposit (account_id, id, wallet_id, status, wallet_type, wallet_currency, currency, chain, address,
       address_type, tag, is_active, label, tracking_id, confirmations_needed, time_limit, invoice_updated_at,
       expires_at, callback_url, payment_page_id, payment_page_redirect_url, payment_page_button_text, help_email,
       inaccuracy, target_amount_requested, rate, rate_exp, rate_expires_at, source_amount_requested,
       commission_rate_ppm, commission_fixed_units, commission_minimum_units, travel_rule_sealed,
       created_by_credential_id, created_at, updated_at)
     select i.account_id, i.new_id, i.wallet_id, i.status, i.wallet_type, i.wallet_currency, i.currency, i.chain,
       taken.address, i.address_type, taken.tag, true, i.label, i.tracking_id, i.confirmations_needed, i.time_limit,
       i.invoice_updated_at, i.expires_at, i.callback_url, i.payment_page_id, i.payment_page_redirect_url,
       i.payment_page_button_text, i.help_email, i.inaccuracy, i.target_amount_requested, i.rate, i.rate_exp,
       i.rate_expires_at, i.source_amount_requested, i.commission_rate_ppm, i.commission_fixed_units,
       i.commission_minimum_units, i.travel_rule_sealed, i.created_by_credential_id, i.created_at, i.created_at
     from input i left join taken using (place)
     where (i.keyspace is null or taken.place is not null) and ${isWanted("i")})
   select input.place, input.new_id as id, taken.address, taken.tag, not ${isWanted("input")} as is_key_used
   from input left join taken using (place)
   where input.keyspace is null or taken.place is not null`;
}

/** A key whose time is over may be used again. */
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

/** What the database adds to a new deposit. */
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
