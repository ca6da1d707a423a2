import type { Currency } from "../../currencies/currency.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";

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
  /** The commission and network fees in it, as a deduction: 0 or negative, positive where a reorg took fees back. */
  readonly feeUnits: bigint;
  /** The currency of their fiat values; null for movements without one. */
  readonly fiat: CurrencyId | null;
  /** Of `units` less `feeUnits`, and of `feeUnits`, in units of `fiat`; each movement is rounded towards zero. 0 without `fiat`. */
  readonly fiatUnits: bigint;
  readonly fiatFeeUnits: bigint;
  /** The number of movements. */
  readonly count: number;
};

/**
 * All postings to a wallet's funds: available, held for payouts, and owed (a deficit counts negatively). Pending payments are not
 * funds yet. Movements between these accounts cancel out, so a payout appears once it is paid and a payment once it is credited.
 *
 * A payment's commission never reached the wallet, so it is added to the payment and deducted as a fee. A payout's debit is divided
 * into what the receiver was paid and fees (its remainder, so that both add up to the debit).
 *
 * The fiat value of a movement is its share of the value of the whole payment or payout, which was fixed at that time (`transfer.fiat_*`).
 * A fee that another wallet pays has none, because its price was not recorded. `div` is exact, unlike `/`.
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
     select wallet_id, to_char(created_at at time zone 'UTC', 'YYYY-MM') as month, cause, sum(units) as units,
       case when cause ~ '^transfer:[0-9]+$' then substr(cause, 10)::bigint end as transfer_id,
       case when cause ~ '^payout:[0-9]+$' then substr(cause, 8)::bigint end as payout_id,
       case when cause ~ '^top-up:[0-9]+$' then substr(cause, 8)::bigint end as top_up_id
     from side group by 1, 2, 3 having sum(units) <> 0
   ), explained as (
     select m.wallet_id, m.month, m.units,
       case
         when t.id is not null then 'payment'
         when m.cause like 'top-up:%' then 'incoming'
         when p.id is null then 'adjustment'
         when p.wallet_id <> m.wallet_id or p.stage = 'failed' then 'fee'
         when r.payout_id is not null then 'refund'
         else 'payout'
       end as kind,
       case
         when t.id is not null and t.disposition = 'credited' then -sign(m.units) * t.target_commission_units
         when p.id is null then 0
         when p.wallet_id <> m.wallet_id or p.stage = 'failed' then m.units
         else m.units - trunc(m.units * p.paid_units / (p.paid_units + p.commission_units
           + case when p.fee_wallet_id = p.wallet_id then p.fee_units else 0 end))
       end as fee_units,
       v.fiat_currency,
       v.fiat_rate * (case when p.id is null then v.units else p.paid_units end) * 10::numeric ^ f.exp as worth,
       10::numeric ^ (c.exp + v.fiat_rate_exp) as scale,
       t.target_units
     from movement m
     left join transfer t on t.account_id = $1 and t.id = m.transfer_id
     left join payout p on p.account_id = $1 and p.id = m.payout_id
     left join refund r on r.account_id = $1 and r.payout_id = p.id
     left join transfer u on u.account_id = $1 and u.payout_id = coalesce(m.payout_id, m.top_up_id)
       and u.op_type = case when m.payout_id is null then 14 else 2 end
     left join transfer v on v.account_id = $1 and v.id = coalesce(t.id, u.id)
     left join currency c on c.id = v.currency
     left join currency f on f.id = v.fiat_currency
   ), divided as (
     select *, worth is not null and kind not in ('fee', 'adjustment') as is_valued,
       scale * nullif(coalesce(target_units, abs(units - fee_units)), 0) as divisor
     from explained
   )
   select wallet_id as "walletId", month, kind, sum(units) as units, sum(fee_units) as "feeUnits",
     case when is_valued then fiat_currency end as fiat,
     coalesce(sum(div((units - fee_units) * worth, divisor)) filter (where is_valued), 0) as "fiatUnits",
     coalesce(sum(div(fee_units * worth, divisor)) filter (where is_valued), 0) as "fiatFeeUnits",
     count(*)::integer as count
   from divided group by 1, 2, 3, 6 order by 1, 2, 3, 6`,
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
