import { type Executor, statement } from "../db/database.ts";
import type { Instant } from "../kernel/clock.ts";
import { formatTimestamp } from "../kernel/timestamp.ts";
import type { TimeSpan } from "./time-span.ts";

/** Whose objects are counted; `wallets` null: those of all wallets. */
export type StatisticScope = {
  readonly accountId: string;
  readonly wallets: readonly string[] | null;
  readonly span: TimeSpan;
};

/*
 * Each statement reads one account's rows of one span by an index over (account_id, created_at), once. A bucket that has
 * nothing is not there.
 */
const inScope = `t.account_id = $1 and t.created_at >= $2::timestamptz and t.created_at < $3::timestamptz
  and ($5::bigint[] is null or t.wallet_id = any($5::bigint[]))`;
const start = "date_trunc($4, t.created_at, 'UTC')";
/** Money that counts: not dust, not another asset than the deposit's, not what screening holds. */
const counted = `t.op_type in (1, 2) and t.status = 2 and t.currency is not null
  and t.disposition not in ('dust', 'misplaced', 'blocked', 'none')`;

function scopeValues({ accountId, wallets, span }: StatisticScope) {
  return [accountId, formatTimestamp(span.from), formatTimestamp(span.to), span.bucket, wallets];
}

export type VolumeRow = {
  readonly start: Instant;
  readonly currency: string;
  readonly op_type: 1 | 2;
  readonly count: string;
  readonly units: bigint;
};

const readVolume = statement<VolumeRow>(
  "statistics.volume",
  `select ${start} as start, t.currency, t.op_type, count(*) as count, sum(t.units) as units
   from transfer t where ${inScope} and ${counted}
   group by 1, 2, 3 order by 1`,
  { mayTakeLong: true },
);

/** How much confirmed money came and went, by currency. */
export function readVolumeRows(db: Executor, scope: StatisticScope): Promise<readonly VolumeRow[]> {
  return db.query(readVolume, scopeValues(scope));
}

export type FeeRow = {
  readonly start: Instant;
  readonly kind: "commission" | "network";
  readonly currency: string;
  readonly op_type: 1 | 2;
  readonly count: string;
  readonly units: bigint;
};

const readFees = statement<FeeRow>(
  "statistics.fees",
  `select ${start} as start, fee.kind, fee.currency, t.op_type, count(*) as count, sum(fee.units) as units
   from transfer t
   cross join lateral (values
     ('commission', t.currency, t.commission_units), ('network', t.fee_currency, t.fee_units)
   ) as fee (kind, currency, units)
   where ${inScope} and ${counted} and fee.currency is not null and fee.units > 0
   group by 1, 2, 3, 4 order by 1`,
  { mayTakeLong: true },
);

/** What was charged for confirmed money: commission, and for payouts the network's fee. */
export function readFeeRows(db: Executor, scope: StatisticScope): Promise<readonly FeeRow[]> {
  return db.query(readFees, scopeValues(scope));
}

export type ConfirmationRow = {
  /** Null: of the whole span. */
  readonly start: Instant | null;
  readonly currency: string;
  readonly op_type: 1 | 2;
  readonly count: string;
  /** Half, nine tenths and ninety-nine hundredths were confirmed within so many seconds. */
  readonly seconds: readonly [number, number, number];
};

const readConfirmations = statement<ConfirmationRow>(
  "statistics.confirmation-times",
  `select start, currency, op_type, count(*) as count,
     percentile_disc(array[0.5, 0.9, 0.99]) within group (order by seconds) as seconds
   from (
     select ${start} as start, t.currency, t.op_type,
       extract(epoch from t.confirmed_at - t.first_seen_at)::float8 as seconds
     from transfer t
     where ${inScope} and ${counted} and t.confirmed_at is not null and t.txid is not null) as confirmed
   group by grouping sets ((start, currency, op_type), (currency, op_type))
   order by start nulls first`,
  { mayTakeLong: true },
);

/** How long payments on a chain took from being seen, or created, to their confirmation. */
export function readConfirmationRows(
  db: Executor,
  scope: StatisticScope,
): Promise<readonly ConfirmationRow[]> {
  return db.query(readConfirmations, scopeValues(scope));
}

export type CallbackRow = {
  /** Null: of the whole span. */
  readonly start: Instant | null;
  readonly object_type: "deposit" | "payout";
  readonly delivered_at_once: string;
  readonly delivered_later: string;
  readonly failed: string;
  readonly waiting: string;
  /** As of confirmations, from the event to its delivery; null where none was delivered. */
  readonly seconds: readonly [number, number, number] | null;
};

const readCallbacks = statement<CallbackRow>(
  "statistics.callbacks",
  `select start, object_type,
     count(*) filter (where status = 'delivered' and attempts <= 1) as delivered_at_once,
     count(*) filter (where status = 'delivered' and attempts > 1) as delivered_later,
     count(*) filter (where status = 'exhausted') as failed,
     count(*) filter (where status = 'pending') as waiting,
     percentile_disc(array[0.5, 0.9, 0.99]) within group (order by seconds)
       filter (where status = 'delivered') as seconds
   from (
     select ${start} as start, t.object_type, t.status, t.attempts,
       extract(epoch from t.delivered_at - t.created_at)::float8 as seconds
     from callback t
     where t.account_id = $1 and t.created_at >= $2::timestamptz and t.created_at < $3::timestamptz
       and t.object_type in ('deposit', 'payout')
       and ($5::text[] is null or exists (
         select from event e where e.account_id = t.account_id and e.id = t.event_id
           and e.payload #>> '{data,relationships,wallet,data,id}' = any($5::text[])))) as made
   group by grouping sets ((start, object_type), (object_type))
   order by start nulls first`,
  { mayTakeLong: true },
);

/** What became of callbacks, by what they tell of. */
export function readCallbackRows(
  db: Executor,
  scope: StatisticScope,
): Promise<readonly CallbackRow[]> {
  return db.query(readCallbacks, scopeValues(scope));
}
