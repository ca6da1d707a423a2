/*
 * The definition of statistics: all rows of the span, grouped. The product reads the same from indexes, bucket by bucket
 * (src/reports/statistics/statistics.store.ts). Parameters: account, from, to, bucket, wallets (null: all).
 */

const start = "date_trunc($4, t.created_at, 'UTC')";
const inScope = `t.account_id = $1 and t.created_at >= $2::timestamptz and t.created_at < $3::timestamptz
  and ($5::bigint[] is null or t.wallet_id = any($5::bigint[]))`;
const counted = `t.op_type in (1, 2) and t.status = 2 and t.currency is not null
  and t.disposition not in ('dust', 'misplaced', 'blocked', 'none')`;
const percentiles = "percentile_disc(array[0.5, 0.9, 0.99]) within group (order by seconds)";

export const plainStatistics = {
  volume: `select ${start} as start, t.currency, t.op_type, count(*) as count, sum(t.units) as units
    from transfer t where ${inScope} and ${counted} group by 1, 2, 3`,
  fees: `select ${start} as start, fee.kind, fee.currency, t.op_type, count(*) as count, sum(fee.units) as units
    from transfer t cross join lateral (values
      ('commission', t.currency, case when t.disposition in ('credited', 'payout') then t.commission_units else 0 end),
      ('network', t.fee_currency, t.fee_units)
    ) as fee (kind, currency, units)
    where ${inScope} and ${counted} and fee.currency is not null and fee.units > 0 group by 1, 2, 3, 4`,
  confirmations: `select start, currency, op_type, count(*) as count, ${percentiles} as seconds
    from (
      select ${start} as start, t.currency, t.op_type,
        extract(epoch from t.confirmed_at - t.first_seen_at)::float8 as seconds
      from transfer t where ${inScope} and ${counted} and t.confirmed_at is not null and t.txid is not null) as confirmed
    group by grouping sets ((start, currency, op_type), (currency, op_type))`,
  callbacks: `select start, object_type,
      count(*) filter (where status = 'delivered' and attempts <= 1) as delivered_at_once,
      count(*) filter (where status = 'delivered' and attempts > 1) as delivered_later,
      count(*) filter (where status = 'exhausted') as failed,
      count(*) filter (where status = 'pending') as waiting,
      ${percentiles} filter (where status = 'delivered') as seconds
    from (
      select ${start} as start, t.object_type, t.status, t.attempts,
        extract(epoch from t.delivered_at - t.created_at)::float8 as seconds
      from callback t
      where t.account_id = $1 and t.created_at >= $2::timestamptz and t.created_at < $3::timestamptz
        and t.object_type in ('deposit', 'payout')
        and ($5::text[] is null or exists (
          select from event e where e.account_id = t.account_id and e.id = t.event_id
            and e.payload #>> '{data,relationships,wallet,data,id}' = any($5::text[])))) as made
    group by grouping sets ((start, object_type), (object_type))`,
} as const;
