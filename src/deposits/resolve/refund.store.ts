import { type Executor, statement } from "../../platform/db/database.ts";

/** A payout by its account and id. */
export type PayoutKey = { readonly accountId: string; readonly payoutId: string };

const insert = statement<never>(
  "refund.insert",
  "insert into refund (account_id, payout_id, deposit_id) values ($1, $2, $3)",
);

/** Records that a payout refunds payments of a deposit. */
export async function insertRefund(
  tx: Executor,
  { accountId, payoutId, depositId }: PayoutKey & { readonly depositId: string },
): Promise<void> {
  await tx.query(insert, [accountId, payoutId, depositId]);
}

const lockDeposits = statement<never>(
  "refund.lock-deposits",
  `select from deposit
   where (account_id, id) in (
     select r.account_id, r.deposit_id
     from unnest($1::bigint[], $2::bigint[]) as p (account_id, payout_id) join refund r using (account_id, payout_id))
   order by id for update`,
);

/** Locks the deposits that these payouts refund, in id order. */
export async function lockRefundedDeposits(
  tx: Executor,
  payouts: readonly PayoutKey[],
): Promise<void> {
  await tx.query(lockDeposits, columnsOf(payouts));
}

/** A payment and the payout of its newest refund, in force or undone. */
export type RefundedPayment = { readonly depositId: string; readonly transferId: string };

const findPayments = statement<RefundedPayment>(
  "refund.find-payments",
  `select t.deposit_id as "depositId", t.id as "transferId"
   from unnest($1::bigint[], $2::bigint[]) as p (account_id, payout_id) join refund r using (account_id, payout_id)
   join transfer t on t.account_id = r.account_id and t.deposit_id = r.deposit_id and t.refund_payout_id = r.payout_id`,
);

/** The payments that these payouts refund. */
export async function findRefundedPayments(
  tx: Executor,
  payouts: readonly PayoutKey[],
): Promise<readonly RefundedPayment[]> {
  return tx.query(findPayments, columnsOf(payouts));
}

const findDeposits = statement<{ readonly payoutId: string; readonly depositId: string }>(
  "refund.find-deposits",
  `select r.payout_id as "payoutId", r.deposit_id as "depositId"
   from unnest($1::bigint[], $2::bigint[]) as p (account_id, payout_id) join refund r using (account_id, payout_id)`,
);

/** The deposits whose payments these payouts refund, by payout; a payout that is no refund is left out. */
export async function findRefundedDeposits(
  db: Executor,
  payouts: readonly PayoutKey[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query(findDeposits, columnsOf(payouts));
  return new Map(rows.map(({ payoutId, depositId }) => [payoutId, depositId]));
}

function columnsOf(payouts: readonly PayoutKey[]): readonly (readonly string[])[] {
  return [payouts.map(({ accountId }) => accountId), payouts.map(({ payoutId }) => payoutId)];
}
