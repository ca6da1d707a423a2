import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { bucketSeconds, type TimeSpan } from "./time-span.ts";

/** Whose objects count; `wallets` null: all wallets. */
export type StatisticScope = {
  readonly accountId: string;
  readonly wallets: readonly string[] | null;
  readonly span: TimeSpan;
};

/*
 * A statement reads each line (direction and currency) and each bucket separately, from an index that holds everything it sums,
 * in this order (0025_statistics.sql, 0142_charged_commission.sql). Nothing is sorted except the seconds of one line in one bucket,
 * and no table row is read: a seventh to a third of the processor time of grouping the rows (docs/benchmarks.md). Empty buckets are
 * omitted.
 */

/** Counted amounts: no dust, no wrong assets, nothing that screening holds. The same condition as the index's. */
const counted = `t.op_type in (1, 2) and t.status = 2 and t.currency is not null
  and t.disposition not in ('dust', 'misplaced', 'blocked', 'none')`;
/** Payments on hold and full refunds are counted amounts, but nothing was charged for them. */
const charged = "t.commission_units > 0 and t.disposition in ('credited', 'payout')";
const timed = `${counted} and t.confirmed_at is not null and t.txid is not null`;

/** The account's lines, each found by one index lookup. */
const lines = `line as (
    (select t.op_type, t.currency from transfer t
     where t.account_id = $1 and ${counted} order by t.op_type, t.currency limit 1)
    union all
    select following.op_type, following.currency
    from line cross join lateral (
      select t.op_type, t.currency from transfer t
      where t.account_id = $1 and ${counted} and (t.op_type, t.currency) > (line.op_type, line.currency)
      order by t.op_type, t.currency limit 1) as following)`;

/** Buckets in UTC, each up to the next one's start or the span's end. */
const buckets = `bucket as (
    select start, start as beginning, least(start + $4::integer * interval '1 second', $3::timestamptz) as ending
    from generate_series($2::timestamptz, $3::timestamptz, $4::integer * interval '1 second') as start)`;

/** The same, plus the whole span, whose start is null. */
const bucketsAndWhole = `${buckets}, part as (
    select * from bucket union all select null, $2::timestamptz, $3::timestamptz)`;

/** Rows of a line, created in a part of the span. */
function createdIn(part: "bucket" | "part"): string {
  return `t.account_id = $1 and t.op_type = line.op_type and t.currency = line.currency
      and t.created_at >= ${part}.beginning and t.created_at < ${part}.ending
      and ($5::bigint[] is null or t.wallet_id = any($5::bigint[]))`;
}

/** A duration as a time after 1970, which compares as an integer. */
function percentilesOf(end: string, beginning: string): string {
  return `percentile_disc(array[0.5, 0.9, 0.99]) within group (order by timestamptz 'epoch' + (${end} - ${beginning}))`;
}

/** The same in seconds. */
function secondsOf(took: string): string {
  const seconds = [1, 2, 3].map((place) => `extract(epoch from ${took}[${place}])::float8`);
  return `array[${seconds.join(", ")}]`;
}

function scopeValues({ accountId, wallets, span }: StatisticScope) {
  const seconds = bucketSeconds[span.bucket];
  return [accountId, formatTimestamp(span.from), formatTimestamp(span.to), seconds, wallets];
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
  `with recursive ${lines}, ${buckets}
   select bucket.start, line.currency, line.op_type, made.count, made.units
   from line cross join bucket cross join lateral (
     select count(*) as count, sum(t.units) as units
     from transfer t where ${createdIn("bucket")} and ${counted}
     having count(*) > 0) as made
   order by bucket.start`,
  { mayTakeLong: true },
);

/** Confirmed incoming and outgoing amounts, by currency. */
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
  `with recursive ${lines}, ${buckets}
   select bucket.start, fee.kind, fee.currency, line.op_type, sum(fee.count)::bigint as count, sum(fee.units) as units
   from line cross join bucket cross join lateral (
     select t.fee_currency,
       count(*) filter (where ${charged}) as commissions,
       sum(t.commission_units) filter (where ${charged}) as commission_units,
       count(*) filter (where t.fee_units > 0) as fees, sum(t.fee_units) filter (where t.fee_units > 0) as fee_units
     from transfer t where ${createdIn("bucket")} and ${counted}
     group by t.fee_currency) as charged
   cross join lateral (values
     ('commission', line.currency, charged.commissions, charged.commission_units),
     ('network', charged.fee_currency, charged.fees, charged.fee_units)
   ) as fee (kind, currency, count, units)
   where fee.currency is not null and fee.count > 0
   group by bucket.start, fee.kind, fee.currency, line.op_type order by bucket.start`,
  { mayTakeLong: true },
);

/** Commission on credited payments and on payouts, and the network fees of payouts. */
export function readFeeRows(db: Executor, scope: StatisticScope): Promise<readonly FeeRow[]> {
  return db.query(readFees, scopeValues(scope));
}

export type ConfirmationRow = {
  /** Null: the whole span. */
  readonly start: Instant | null;
  readonly currency: string;
  readonly op_type: 1 | 2;
  readonly count: string;
  /** The seconds in which 50, 90 and 99 percent were confirmed. */
  readonly seconds: readonly [number, number, number];
};

const readConfirmations = statement<ConfirmationRow>(
  "statistics.confirmation-times",
  `with recursive ${lines}, ${bucketsAndWhole}
   select part.start, line.currency, line.op_type, made.count, ${secondsOf("made.took")} as seconds
   from line cross join part cross join lateral (
     select count(*) as count, ${percentilesOf("t.confirmed_at", "t.first_seen_at")} as took
     from transfer t where ${createdIn("part")} and ${timed}
     having count(*) > 0) as made
   order by part.start nulls first`,
  { mayTakeLong: true },
);

/** How long payments on a chain took from detection or creation to confirmation. */
export function readConfirmationRows(
  db: Executor,
  scope: StatisticScope,
): Promise<readonly ConfirmationRow[]> {
  return db.query(readConfirmations, scopeValues(scope));
}

export type CallbackRow = {
  /** Null: the whole span. */
  readonly start: Instant | null;
  readonly object_type: "deposit" | "payout";
  readonly delivered_at_once: string;
  readonly delivered_later: string;
  readonly failed: string;
  readonly waiting: string;
  /** As for confirmations, from the event to its delivery; null when none was delivered. */
  readonly seconds: readonly [number, number, number] | null;
};

const callbackCounts = `
     count(*) filter (where t.status = 'delivered' and t.attempts <= 1) as delivered_at_once,
     count(*) filter (where t.status = 'delivered' and t.attempts > 1) as delivered_later,
     count(*) filter (where t.status = 'exhausted') as failed,
     count(*) filter (where t.status = 'pending') as waiting,
     ${percentilesOf("t.delivered_at", "t.created_at")} filter (where t.status = 'delivered') as took`;

const readCallbacks = statement<CallbackRow>(
  "statistics.callbacks",
  `with ${bucketsAndWhole}
   select part.start, line.object_type, made.delivered_at_once, made.delivered_later, made.failed, made.waiting,
     case when made.took is not null then ${secondsOf("made.took")} end as seconds
   from (values ('deposit'), ('payout')) as line (object_type) cross join part cross join lateral (
     select ${callbackCounts}
     from callback t
     where t.account_id = $1 and t.object_type = line.object_type
       and t.created_at >= part.beginning and t.created_at < part.ending
       and ($5::bigint[] is null or t.wallet_id = any($5::bigint[]))
     having count(*) > 0) as made
   order by part.start nulls first`,
  { mayTakeLong: true },
);

/** Outcomes of callbacks, by type of object. */
export function readCallbackRows(
  db: Executor,
  scope: StatisticScope,
): Promise<readonly CallbackRow[]> {
  return db.query(readCallbacks, scopeValues(scope));
}
