import type { AvailabilityRow } from "../currencies/availability-row.ts";
import type { Availability } from "../currencies/decide-availability.ts";
import { assertAdmitted, isAdmitted } from "../db/admission.ts";
import { type Database, statement } from "../db/database.ts";
import { inPlace } from "../db/in-place.ts";
import { microBatch } from "../db/micro-batch.ts";
import { present } from "../kernel/assert.ts";
import { addSeconds, type Instant } from "../kernel/clock.ts";
import type { CurrencyId } from "../kernel/money.ts";
import type { Rate } from "../kernel/rate.ts";
import { formatTimestamp } from "../kernel/timestamp.ts";
import { type TermsRow, termsFromRow, termsInForce } from "../ledger/commission.store.ts";
import type { CommissionTerms } from "../ledger/commission-terms.ts";
import { type CreationKey, creationKeySeconds } from "./creation-key.store.ts";
import { type Deposit, depositStatus, noSums } from "./deposit.ts";
import type { RequestedFields } from "./deposit-request.ts";

/** What the database knows that decides about a new deposit. */
export type CreationFacts = {
  readonly walletType: number;
  readonly walletCurrency: string;
  readonly walletStatus: number;
  readonly needsActivation: boolean;
  /** Payment currency: the one asked for, or else the wallet's own unless the wallet is a Merchant's. */
  readonly currency: string | null;
  readonly availability: Availability;
  readonly commissionTerms: CommissionTerms;
  readonly accountHelpEmail: string | null;
};

export type FactsKey = {
  readonly accountId: string;
  readonly walletId: string;
  readonly currency: string | null;
};

export type NewDeposit = RequestedFields & {
  readonly accountId: string;
  readonly credentialId: string;
  readonly paymentPageId: string;
  readonly walletType: number;
  readonly walletCurrency: CurrencyId;
  readonly currency: CurrencyId | null;
  readonly chain: string | null;
  /** Where the address comes from; null: the deposit gets none yet. */
  readonly keyspace: string | null;
  readonly addressType: string;
  readonly inaccuracyUnits: bigint | null;
  readonly targetAmountRequestedUnits: bigint | null;
  readonly rate: Rate | null;
  readonly rateExpiresAt: Instant | null;
  readonly sourceAmountRequestedUnits: bigint | null;
  readonly commissionTerms: CommissionTerms;
  readonly travelRuleSealed: Uint8Array | null;
  readonly createdAt: Instant;
};

export type KeyedDeposit = { readonly deposit: NewDeposit; readonly creationKey: CreationKey };

/** Reads and writes of deposit creation; calls made at the same moment share a statement. */
export type DepositWriter = {
  /** Null when the account has no such wallet. */
  readonly readFacts: (key: FactsKey) => Promise<CreationFacts | null>;
  /** Null when the pool has no address of the kind, or nothing is given out yet: then `assertAdmitted` rejects. */
  readonly create: (deposit: NewDeposit) => Promise<Deposit | null>;
  /** The same with an idempotency key, recorded with the deposit. `keyUsed`: it is in force already, and nothing was created. */
  readonly createOnce: (order: KeyedDeposit) => Promise<Deposit | "keyUsed" | null>;
  /** Rejects with `Unavailable` while it is not known whether the database is the newest one. */
  readonly assertAdmitted: () => Promise<void>;
};

/** `judge` tells whether a deposit may be paid in a currency (its id; null: it has none yet). */
export function createDepositWriter(
  db: Database,
  judge: (currency: string | null, row: AvailabilityRow) => Availability,
): DepositWriter {
  const limits = { slots: 2, maxSize: batchMax };
  return {
    readFacts: microBatch(async (keys) => {
      const rows = await db.query(readFacts, [
        keys.map((key) => key.accountId),
        keys.map((key) => key.walletId),
        keys.map((key) => key.currency),
      ]);
      return inPlace(keys, rows, (row) => (row === null ? null : factsFromRow(row, judge)));
    }, limits),
    create: microBatch(async (deposits) => {
      const rows = await db.query(insert, [JSON.stringify(rowsOf(deposits))]);
      return inPlace(deposits, rows, (row, deposit) =>
        row === null ? null : createdDeposit(deposit, row),
      );
    }, limits),
    createOnce: microBatch(async (orders) => {
      const rows = rowsOf(orders.map(({ deposit }) => deposit)).map((row, index) => ({
        ...row,
        ...keyToRow(present(orders[index], "the order of a row").creationKey),
      }));
      const issued = await db.query(insertKeyed, [JSON.stringify(rows)]);
      return inPlace(orders, issued, (row, { deposit }) => {
        if (row === null) return null;
        return row.is_key_used ? "keyUsed" : createdDeposit(deposit, row);
      });
    }, limits),
    assertAdmitted: () => assertAdmitted(db),
  };
}

type FactsRow = AvailabilityRow &
  TermsRow & {
    readonly place: string;
    readonly type: number;
    readonly wallet_currency: string;
    readonly status: number;
    readonly needs_activation: boolean;
    readonly currency: string | null;
    readonly help_email: string | null;
  };

const readFacts = statement<FactsRow>(
  "create.read-facts",
  `select input.place, w.type, w.currency as wallet_currency, w.status, w.needs_activation, wanted.currency,
     coalesce(s.is_disabled, false) as is_disabled, coalesce(s.is_unavailable, false) as is_unavailable,
     coalesce(s.is_unpaid, false) as is_unpaid, b.currency is not null as is_blocked,
     c.rate_ppm, c.fixed_units, c.minimum_units, account.help_email
   from unnest($1::bigint[], $2::bigint[], $3::text[]) with ordinality as input (account_id, wallet_id, currency, place)
   join wallet w on w.account_id = input.account_id and w.id = input.wallet_id
   join account on account.id = w.account_id
   cross join lateral (
     select coalesce(input.currency, case when w.type <> 1 then w.currency end) as currency) as wanted
   left join currency_state s on s.currency = wanted.currency
   left join account_currency_block b on b.account_id = w.account_id and b.currency = wanted.currency
   left join lateral (${termsInForce("w.account_id", "wanted.currency", "'deposit'")}) as c on true`,
);

function factsFromRow(
  row: FactsRow,
  judge: (currency: string | null, row: AvailabilityRow) => Availability,
): CreationFacts {
  return {
    walletType: row.type,
    walletCurrency: row.wallet_currency,
    walletStatus: row.status,
    needsActivation: row.needs_activation,
    currency: row.currency,
    availability: judge(row.currency, row),
    commissionTerms: termsFromRow(row),
    accountHelpEmail: row.help_email,
  };
}

/** Most deposits in one statement: also the bound that tells the planner how few rows it deals with. */
const batchMax = 128;

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
type IssuedRow = {
  readonly place: string;
  readonly id: string;
  readonly address: string | null;
  readonly tag: string | null;
  readonly is_key_used: boolean;
};

const insert = statement<IssuedRow>("create.insert", insertSql({ isKeyed: false }));
const insertKeyed = statement<IssuedRow>("create.insert-keyed", insertSql({ isKeyed: true }));

/** Each deposit with its place in the batch and, counted from 1, its turn among those that want an address of its kind. */
function rowsOf(deposits: readonly NewDeposit[]) {
  const turns = new Map<string, number>();
  return deposits.map((deposit, index) => {
    const kind = `${deposit.keyspace ?? ""} ${deposit.addressType}`;
    const turn = (turns.get(kind) ?? 0) + 1;
    turns.set(kind, turn);
    return { place: index + 1, turn, ...depositToRow(deposit) };
  });
}

/** The deposit as it stands in the database from now on: nothing of it has to be read back but what was issued. */
function createdDeposit(deposit: NewDeposit, { id, address, tag }: IssuedRow): Deposit {
  return {
    accountId: deposit.accountId,
    id,
    walletId: deposit.walletId,
    walletType: deposit.walletType,
    walletCurrency: deposit.walletCurrency,
    currency: deposit.currency,
    address,
    addressType: deposit.addressType,
    tag,
    isActive: true,
    label: deposit.label,
    trackingId: deposit.trackingId,
    confirmationsNeeded: deposit.confirmationsNeeded,
    timeLimit: deposit.timeLimit,
    invoiceUpdatedAt: deposit.timeLimit === null ? null : deposit.createdAt,
    expiresAt: expiryOf(deposit),
    callbackUrl: deposit.callbackUrl,
    paymentPageId: deposit.paymentPageId,
    paymentPageRedirectUrl: deposit.redirectUrl,
    paymentPageButtonText: deposit.buttonText,
    helpEmail: deposit.helpEmail,
    inaccuracy: deposit.inaccuracyUnits,
    targetAmountRequested: deposit.targetAmountRequestedUnits,
    rate: deposit.rate,
    rateExpiresAt: deposit.rateExpiresAt,
    rateLocks: [],
    sourceAmountRequested: deposit.sourceAmountRequestedUnits,
    commissionTerms: deposit.commissionTerms,
    createdByCredentialId: deposit.credentialId,
    createdAt: deposit.createdAt,
    cancelledAt: null,
    expiryConcludedAt: null,
    acceptedAt: null,
    status: depositStatus.created,
    statusReason: null,
    statusVersion: 0,
    sums: noSums,
    assets: {},
    tally: null,
    updatedAt: deposit.createdAt,
  };
}

function expiryOf({ createdAt, timeLimit }: NewDeposit): Instant | null {
  return timeLimit === null ? null : addSeconds(createdAt, timeLimit);
}

/** Column names and JSON values; a bigint goes as text, which PostgreSQL reads into its numeric. */
function depositToRow(deposit: NewDeposit) {
  const createdAt = formatTimestamp(deposit.createdAt);
  const expiresAt = expiryOf(deposit);
  return {
    keyspace: deposit.keyspace,
    account_id: deposit.accountId,
    wallet_id: deposit.walletId,
    status: depositStatus.created,
    wallet_type: deposit.walletType,
    wallet_currency: deposit.walletCurrency,
    currency: deposit.currency,
    chain: deposit.chain,
    address_type: deposit.addressType,
    label: deposit.label,
    tracking_id: deposit.trackingId,
    confirmations_needed: deposit.confirmationsNeeded,
    time_limit: deposit.timeLimit,
    invoice_updated_at: expiresAt === null ? null : createdAt,
    expires_at: expiresAt === null ? null : formatTimestamp(expiresAt),
    callback_url: deposit.callbackUrl,
    payment_page_id: deposit.paymentPageId,
    payment_page_redirect_url: deposit.redirectUrl,
    payment_page_button_text: deposit.buttonText,
    help_email: deposit.helpEmail,
    inaccuracy: deposit.inaccuracyUnits?.toString() ?? null,
    target_amount_requested: deposit.targetAmountRequestedUnits?.toString() ?? null,
    rate: deposit.rate?.units.toString() ?? null,
    rate_exp: deposit.rate?.exp ?? null,
    rate_expires_at: deposit.rateExpiresAt === null ? null : formatTimestamp(deposit.rateExpiresAt),
    source_amount_requested: deposit.sourceAmountRequestedUnits?.toString() ?? null,
    commission_rate_ppm: deposit.commissionTerms.ratePpm,
    commission_fixed_units: deposit.commissionTerms.fixedUnits.toString(),
    commission_minimum_units: deposit.commissionTerms.minimumUnits.toString(),
    travel_rule_sealed: deposit.travelRuleSealed === null ? null : bytea(deposit.travelRuleSealed),
    created_by_credential_id: deposit.credentialId,
    created_at: createdAt,
  };
}

function keyToRow({ key, fingerprint }: CreationKey) {
  return { creation_key: key, creation_fingerprint: bytea(fingerprint) };
}

/** PostgreSQL's hex form. */
function bytea(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes).toString("hex")}`;
}
