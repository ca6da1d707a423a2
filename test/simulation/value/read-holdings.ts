import { type PositionUnits, readPositions } from "../../../src/ledger/position.store.ts";
import type { Instant } from "../../../src/platform/kernel/clock.ts";
import type { ValueSite } from "./value-site.ts";

/** Everything that accounts hold, are owed, or have received, from the database. */
export type Holdings = {
  /** The operator's position by currency, in smallest units. */
  readonly positions: PositionUnits;
  readonly wallets: readonly WalletRow[];
  readonly payouts: readonly PayoutRow[];
  readonly payments: readonly PaymentRow[];
  readonly topUps: readonly TopUpRow[];
};

type WalletRow = {
  readonly accountId: string;
  readonly currency: string;
  readonly available: bigint;
  readonly deficit: bigint;
};

export type PayoutRow = {
  readonly id: string;
  readonly accountId: string;
  readonly stage: string;
  readonly currency: string;
  readonly units: bigint;
  readonly walletCurrency: string;
  readonly charged: bigint;
  readonly chargedFee: bigint;
  readonly fee: bigint;
  readonly feeCurrency: string;
  readonly feeWallet: string | null;
  readonly isInBlock: boolean;
  readonly blockHeight: string | null;
  readonly createdAt: Instant;
};

export type PaymentRow = {
  readonly id: string;
  readonly accountId: string;
  readonly depositId: string;
  readonly currency: string;
  readonly walletCurrency: string;
  readonly units: bigint;
  readonly isInside: boolean;
  readonly disposition: string;
  readonly firstSeenAt: Instant;
  readonly revaluedAt: Instant | null;
  readonly targetUnits: bigint;
  readonly targetCommission: bigint;
  readonly refundPayout: string | null;
  readonly refundUnits: bigint;
  readonly refundTarget: bigint;
  readonly lockRate: bigint | null;
  readonly lockExp: number | null;
  readonly lockedUntil: Instant | null;
};

type TopUpRow = {
  readonly accountId: string;
  readonly payoutId: string;
  readonly currency: string;
  readonly units: bigint;
};

export async function readHoldings({ database, accounts }: ValueSite): Promise<Holdings> {
  const { sql } = database;
  const ids = [accounts.map(({ id }) => id)];
  const [positions, wallets, payouts, payments, topUps] = await Promise.all([
    readPositions(database.db),
    sql<WalletRow>(
      `select w.account_id as "accountId", w.currency, b.available, b.deficit
       from wallet_balance b join wallet w on w.id = b.wallet_id where w.account_id = any($1::bigint[]) order by w.id`,
      ids,
    ),
    sql<PayoutRow>(
      `select id, account_id as "accountId", stage, currency, units, wallet_currency as "walletCurrency",
         charged_units as charged, charged_fee_units as "chargedFee", fee_units as fee, fee_currency as "feeCurrency",
         fee_wallet_id as "feeWallet", block_hash is not null as "isInBlock", block_height as "blockHeight",
         created_at as "createdAt"
       from payout where account_id = any($1::bigint[]) order by id`,
      ids,
    ),
    sql<PaymentRow>(
      `select t.id, t.account_id as "accountId", t.deposit_id as "depositId", t.currency, d.wallet_currency as "walletCurrency",
         t.units, t.txid is null as "isInside", t.disposition, t.first_seen_at as "firstSeenAt", t.revalued_at as "revaluedAt",
         t.target_units as "targetUnits", t.target_commission_units as "targetCommission",
         case when stands then t.refund_payout_id end as "refundPayout",
         case when stands then coalesce(t.refund_units, t.units) else 0 end as "refundUnits",
         case when stands then t.refund_target_units else 0 end as "refundTarget",
         case when d.target_amount_requested is not null then d.rate end as "lockRate", d.rate_exp as "lockExp",
         d.rate_expires_at as "lockedUntil"
       from transfer t join deposit d on d.account_id = t.account_id and d.id = t.deposit_id,
         lateral (select t.refund_payout_id is not null and to_jsonb(t) ->> 'refund_undone_at' is null as stands) as refund
       where t.account_id = any($1::bigint[]) and t.op_type = 1 and t.currency = d.currency order by t.id`,
      ids,
    ),
    sql<TopUpRow>(
      `select account_id as "accountId", payout_id as "payoutId", currency, units
       from transfer where account_id = any($1::bigint[]) and op_type = 14 order by id`,
      ids,
    ),
  ]);
  return { positions, wallets, payouts, payments, topUps };
}
