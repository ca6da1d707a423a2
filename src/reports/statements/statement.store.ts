import type { Currency } from "../../currencies/currency.ts";
import type { SystemAccount } from "../../ledger/ledger-account.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { unitParts } from "./unit-parts.ts";

/** What moved a wallet's funds. `adjustment`: anything that is neither a payment nor a payout, such as a returned payment. */
export type MovementKind = "payment" | "incoming" | "refund" | "payout" | "fee" | "adjustment";

/** A wallet's movements of one kind in a month of UTC, in units of the wallet's currency; positive units increase the balance. */
export type MovementRow = {
  readonly walletId: string;
  /** `2026-01`. */
  readonly month: string;
  readonly kind: MovementKind;
  /** The change of the balance. */
  readonly units: bigint;
  /** The part of `units` by which a refund was credited and charged at another price than its payment's. */
  readonly repricedUnits: bigint;
  /** The commission and network fees in `units`, in parts of a unit (`unitParts`); negative, or positive where a reorg took fees back. */
  readonly feeParts: bigint;
  /** The currency of their fiat values; null for movements without one. */
  readonly fiat: CurrencyId | null;
  /** What the movements without their fees were worth, in units of `fiat`; each is rounded towards zero. 0 without `fiat`. */
  readonly fiatUnits: bigint;
  /** What the fees were worth, in parts of a unit of `fiat`. 0 without `fiat`. */
  readonly fiatFeeParts: bigint;
  /** The number of movements. */
  readonly count: number;
};

/** What a movement's cause booked to an account of the deployment (`p2`); positive: credited. */
function booked(account: SystemAccount): string {
  return `coalesce(sum(case when p2.credit like '${account}/%' then p2.units when p2.debit like '${account}/%' then -p2.units end), 0)`;
}

/**
 * All postings to a wallet's funds: available, held for payouts, and owed (a deficit counts negatively). Pending payments are not
 * funds yet. Movements between these accounts cancel out, so a payout appears once it is paid and a payment once it is credited.
 *
 * A payment's commission never reached the wallet, so it is added to the payment and deducted as a fee. A payout's debit is divided
 * into fees, at the price that the wallet was charged, and what the receiver was paid (the remainder, so that both add up to the debit).
 *
 * Payments and payouts change later, and a closed month must not. A movement of exactly the whole amount (`is_plain`) is divided as the
 * payment or payout says, unless the payment was refunded since. Any other is divided by what its cause booked to the deployment's accounts in
 * the same month. A commission in another currency than the wallet's is what the wallet got less than the payment's value, or than the
 * values of both parts after a partial refund; if a decision has changed that value since, it has the price of the rest.
 *
 * A refund is credited what its payout charges, at the price of that moment (refunds.md). It counts at the value of the payment
 * (`refund_value`), so that a payment of 60 of which 20 were refunded is a payment of 60; both sides of the rest are `repriced`.
 *
 * The fiat value of a movement is its share of the value of the whole payment or payout, which was fixed at that time (`transfer.fiat_*`).
 * A fee that another wallet pays has a price of its own (`transfer.fee_fiat_*`). `div` is exact, unlike `/`.
 */
const readMovements = statement<MovementRow>(
  "statements.movements",
  `with currency as (
     select * from unnest($4::text[], $5::integer[]) as known (id, exp)
   ), account as (
     select wallet_id, 'wallet/' || wallet_id || '/' || bucket as name
     from unnest($2::bigint[]) as wallet_id cross join unnest(array['available', 'held', 'deficit']) as bucket
   ), side as (
     select a.wallet_id, p.cause, p.created_at, -p.units as units
     from account a join posting p on p.debit = a.name where p.account_id = $1 and p.created_at < $3
     union all
     select a.wallet_id, p.cause, p.created_at, p.units
     from account a join posting p on p.credit = a.name where p.account_id = $1 and p.created_at < $3
   ), movement as (
     select wallet_id, date_trunc('month', created_at, 'UTC') as beginning, cause, sum(units) as units,
       case when cause ~ '^transfer:[0-9]+$' then substr(cause, 10)::bigint end as transfer_id,
       case when cause ~ '^payout:[0-9]+$' then substr(cause, 8)::bigint end as payout_id,
       case when cause ~ '^top-up:[0-9]+$' then substr(cause, 8)::bigint end as top_up_id
     from side group by 1, 2, 3 having sum(units) <> 0
   ), refunded as (
     select t.id, t.refund_payout_id, t.refund_target_units as target_units, kept.units as kept_units, kept.value as kept_value,
       t.target_units - kept.value as refund_value
     from transfer t cross join lateral (
       select rest as units, div(t.target_units * rest, t.units) as value from (select t.units - coalesce(t.refund_units, t.units)) as r (rest)
     ) kept
     where t.account_id = $1 and t.refund_payout_id is not null and t.units > 0
   ), known as (
     select m.wallet_id, to_char(m.beginning at time zone 'UTC', 'YYYY-MM') as month, m.units, t.target_units,
       case
         when t.id is not null then 'payment'
         when m.cause like 'top-up:%' then 'incoming'
         when p.id is null then 'adjustment'
         when p.wallet_id <> m.wallet_id or not is_plain and b.paid = 0 then 'fee'
         when r.payout_id is not null then 'refund'
         else 'payout'
       end as kind,
       case
         when is_plain then sign(m.units) * t.target_commission_units
         when t.currency = w.id then b.commission
         when is_part then sign(m.units) * part_commission
         when is_whole then sign(m.units) * (t.target_units - abs(m.units))
         else coalesce(sign(b.commission) * div(2 * abs(b.commission * m.units) + abs(b.converted), nullif(2 * abs(b.converted), 0)), 0)
       end as commission,
       case when is_plain then -sign(m.units) * p.commission_units else b.commission end
         + case when p.fee_wallet_id is distinct from p.wallet_id then 0 when is_plain then -sign(m.units) * p.fee_units else b.fee end as payout_fee,
       case when is_plain then -sign(m.units) * p.paid_units else b.paid end as paid,
       case when p.currency = w.id then 1 else p.rate * 10::numeric ^ w.exp end as price,
       case when p.currency = w.id then 1 else 10::numeric ^ (paid.exp + p.rate_exp) end as price_scale,
       case when coalesce(t.currency, p.currency) <> w.id then coalesce(tr.target_units, pr.target_units) end as refund_units,
       coalesce(tr.refund_value, pr.refund_value) as refund_value,
       v.units as valued_units, v.is_of_other, f.id as fiat, v.rate * 10::numeric ^ f.exp as worth, 10::numeric ^ (c.exp + v.rate_exp) as worth_scale
     from movement m
     join wallet on wallet.account_id = $1 and wallet.id = m.wallet_id
     join currency w on w.id = wallet.currency
     left join transfer t on t.account_id = $1 and t.id = m.transfer_id
     left join refunded tr on tr.id = t.id
     left join payout p on p.account_id = $1 and p.id = m.payout_id
     left join currency paid on paid.id = p.currency
     left join refund r on r.account_id = $1 and r.payout_id = p.id
     left join (
       select refund_payout_id, sum(target_units) as target_units, sum(refund_value) as refund_value from refunded group by 1
     ) pr on pr.refund_payout_id = r.payout_id
     left join transfer u on u.account_id = $1 and u.payout_id = coalesce(m.payout_id, m.top_up_id)
       and u.op_type = case when m.payout_id is null then 14 else 2 end
     left join transfer o on o.account_id = $1 and o.id = coalesce(t.id, u.id)
     cross join lateral (
       select coalesce(abs(m.units) = case
         when t.refund_payout_id is null and t.id is not null then t.target_units - t.target_commission_units
         when p.wallet_id = m.wallet_id then p.charged_units
       end, false) as is_plain
     ) plain
     cross join lateral (
       select ${booked("commission")} as commission, ${booked("conversion")} as converted, ${booked("fees")} as fee,
         ${booked("chain")} + ${booked("transit")} as paid
       from posting p2
       where not is_plain and p2.account_id = $1 and p2.cause = m.cause and p2.created_at < $3 and date_trunc('month', p2.created_at, 'UTC') = m.beginning
         and p2.currency = coalesce(t.currency, p.currency)
     ) b
     cross join lateral (
       select div(tr.kept_value * abs(b.commission) + tr.kept_units - 1, nullif(tr.kept_units, 0)) as part_commission
     ) part
     cross join lateral (
       select abs(m.units) = tr.kept_value + tr.target_units - part_commission as is_part,
         abs((t.target_units - abs(m.units)) * t.units - t.target_units * abs(b.commission)) <= 2 * t.units as is_whole
     ) credited
     cross join lateral (select
       case when p.wallet_id <> m.wallet_id then w.id else o.currency end as currency, o.units,
       case when p.wallet_id <> m.wallet_id then o.fee_fiat_currency else o.fiat_currency end as fiat,
       case when p.wallet_id <> m.wallet_id then o.fee_fiat_rate else o.fiat_rate end as rate,
       case when p.wallet_id <> m.wallet_id then o.fee_fiat_rate_exp else o.fiat_rate_exp end as rate_exp,
       p.wallet_id <> m.wallet_id as is_of_other) v
     left join currency c on c.id = v.currency
     left join currency f on f.id = v.fiat
   ), divided as (
     select *,
       case
         when kind = 'payment' and abs(units) = target_units - refund_value + refund_units - abs(commission)
           or kind = 'refund' and abs(units) = refund_units
         then sign(units) * (refund_units - refund_value) else 0
       end as repriced,
       case
         when kind = 'payment' then -commission * $6
         when kind = 'fee' then units * $6
         when kind in ('payout', 'refund') then -div(payout_fee * price * $6, price_scale)
         else 0
       end as fee_parts,
       case kind when 'payment' then nullif(target_units, 0) else 1 end as share_scale,
       case
         when kind = 'payment' then -commission * valued_units
         when kind = 'fee' and is_of_other then units
         when kind in ('fee', 'payout', 'refund') then -payout_fee
         else 0
       end as fee_share
     from known
   ), valued as (
     select *, kind <> 'adjustment' and worth is not null as is_valued,
       case
         when kind = 'payment' then (units - repriced + commission) * valued_units
         when kind in ('payout', 'refund') then -paid
         when kind = 'incoming' then sign(units) * valued_units
         else 0
       end as share
     from divided
   )
   select wallet_id as "walletId", month, kind, sum(units) as units, sum(repriced) as "repricedUnits", sum(fee_parts) as "feeParts",
     case when is_valued then fiat end as fiat,
     coalesce(sum(div(share * worth, share_scale * worth_scale)) filter (where is_valued), 0) as "fiatUnits",
     coalesce(sum(div(fee_share * worth * $6, share_scale * worth_scale)) filter (where is_valued), 0) as "fiatFeeParts",
     count(*)::integer as count
   from valued group by 1, 2, 3, 7 order by 1, 2, 3, 7`,
  { mayTakeLong: true },
);

/** The movements of these wallets of an account up to the instant `before`, by wallet, month and kind. */
export function readMovementRows(
  db: Executor,
  accountId: string,
  walletIds: readonly string[],
  before: string,
  currencies: readonly Currency[],
): Promise<readonly MovementRow[]> {
  return db.query(readMovements, [
    accountId,
    walletIds,
    before,
    currencies.map(({ id }) => id),
    currencies.map(({ exp }) => exp),
    unitParts,
  ]);
}

const readWallets = statement<StatementWallet>(
  "statements.wallets",
  `select id, currency, label from wallet where account_id = $1 and ($2::bigint[] is null or id = any($2::bigint[])) order by id`,
);

export type StatementWallet = {
  readonly id: string;
  readonly currency: string;
  readonly label: string;
};

/** The account's wallets; `wallets` null for all of them. */
export function readStatementWallets(
  db: Executor,
  accountId: string,
  wallets: readonly string[] | null,
): Promise<readonly StatementWallet[]> {
  return db.query(readWallets, [accountId, wallets]);
}
