import { type Executor, statement } from "../../platform/db/database.ts";
import { formatTimestamp, formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import type { Deposit } from "../deposit.ts";
import type { TransferRecord } from "../transfers/transfer.ts";
import { tallyToRow } from "./tally.ts";

const saveTransfers = statement<never>(
  "outcome.save-transfers",
  `insert into transfer (
     account_id, id, op_type, status, wallet_id, deposit_id, currency, asset_locator, units, commission_units,
     target_units, target_commission_units, rate, rate_exp, judged_rate, judged_rate_exp, judged_target_units, chain, txid, output_index, watch_key, from_addresses,
     spends, first_seen_at, revalued_at, block_height, block_hash, spendable_from_height, disposition, is_confirmed, confirmed_at,
     is_settled, vouched_hash, awaits_opinion_since, due_height, revision, reason, risk, risk_status, released_at, refunded_at,
     refund_payout_id, refund_units, refund_target_units, refund_undone_at, message, user_message, created_at, updated_at)
   select account_id, id, op_type, status, wallet_id, deposit_id, currency, asset_locator, units, commission_units,
     target_units, target_commission_units, rate, rate_exp, judged_rate, judged_rate_exp, judged_target_units, chain, txid, output_index, watch_key, from_addresses,
     spends, first_seen_at, revalued_at, block_height, block_hash, spendable_from_height, disposition, is_confirmed, confirmed_at,
     is_settled, vouched_hash, awaits_opinion_since, due_height, revision, reason, risk, risk_status, released_at, refunded_at,
     refund_payout_id, refund_units, refund_target_units, refund_undone_at, message, user_message, created_at, updated_at
   from jsonb_populate_recordset(null::transfer, $1::jsonb)
   on conflict (account_id, id) do update set
     op_type = excluded.op_type, status = excluded.status, commission_units = excluded.commission_units,
     target_units = excluded.target_units, target_commission_units = excluded.target_commission_units,
     rate = excluded.rate, rate_exp = excluded.rate_exp, judged_rate = excluded.judged_rate,
     judged_rate_exp = excluded.judged_rate_exp, judged_target_units = excluded.judged_target_units, from_addresses = excluded.from_addresses,
     spends = excluded.spends, first_seen_at = excluded.first_seen_at, revalued_at = excluded.revalued_at,
     block_height = excluded.block_height, block_hash = excluded.block_hash,
     spendable_from_height = excluded.spendable_from_height, disposition = excluded.disposition,
     is_confirmed = excluded.is_confirmed, confirmed_at = excluded.confirmed_at, is_settled = excluded.is_settled,
     vouched_hash = excluded.vouched_hash, awaits_opinion_since = excluded.awaits_opinion_since,
     due_height = excluded.due_height, revision = excluded.revision, reason = excluded.reason, risk = excluded.risk,
     risk_status = excluded.risk_status, released_at = excluded.released_at, refunded_at = excluded.refunded_at,
     refund_payout_id = excluded.refund_payout_id, refund_units = excluded.refund_units,
     refund_target_units = excluded.refund_target_units, refund_undone_at = excluded.refund_undone_at,
     message = excluded.message,
     user_message = excluded.user_message, updated_at = excluded.updated_at`,
);

/** Rows of one statement, whose text must not outgrow what a string can hold. */
const rowsMax = 1_000;

/** Inserts new transfers and stores what changed of known ones. Amounts of a known transfer never change. */
export async function saveTransferRows(
  tx: Executor,
  transfers: readonly TransferRecord[],
): Promise<void> {
  for (let from = 0; from < transfers.length; from += rowsMax) {
    const rows = transfers.slice(from, from + rowsMax).map(transferToRow);
    await tx.query(saveTransfers, [JSON.stringify(rows)]);
  }
}

/** Column names and JSON values; a bigint goes as text, which PostgreSQL reads into its numeric. */
function transferToRow(transfer: TransferRecord) {
  const refund = transfer.refund ?? transfer.undoneRefund;
  return {
    account_id: transfer.accountId,
    id: transfer.id,
    op_type: transfer.opType,
    status: transfer.status,
    wallet_id: transfer.walletId,
    deposit_id: transfer.depositId,
    currency: transfer.currency,
    asset_locator: transfer.assetLocator,
    units: transfer.units.toString(),
    commission_units: transfer.commissionUnits.toString(),
    target_units: transfer.targetUnits.toString(),
    target_commission_units: transfer.targetCommissionUnits.toString(),
    rate: transfer.rate?.units.toString() ?? null,
    rate_exp: transfer.rate?.exp ?? null,
    judged_rate: transfer.judged?.rate.units.toString() ?? null,
    judged_rate_exp: transfer.judged?.rate.exp ?? null,
    judged_target_units: transfer.judged?.targetUnits.toString() ?? null,
    chain: transfer.chain,
    txid: transfer.txid,
    output_index: transfer.outputIndex,
    watch_key: transfer.watchKey,
    from_addresses: transfer.from,
    spends: transfer.spends,
    first_seen_at: formatTimestamp(transfer.firstSeenAt),
    revalued_at: formatTimestampOrNull(transfer.revaluedAt),
    block_height: transfer.block?.height ?? null,
    block_hash: transfer.block?.hash ?? null,
    spendable_from_height: transfer.spendableFromHeight,
    disposition: transfer.disposition,
    is_confirmed: transfer.isConfirmed,
    confirmed_at: formatTimestampOrNull(transfer.confirmedAt),
    is_settled: transfer.isSettled,
    vouched_hash: transfer.vouchedHash,
    awaits_opinion_since: formatTimestampOrNull(transfer.awaitsOpinionSince),
    due_height: transfer.dueHeight,
    revision: transfer.revision,
    reason: transfer.reason,
    risk: transfer.risk,
    risk_status: transfer.riskStatus,
    released_at: formatTimestampOrNull(transfer.releasedAt),
    refunded_at: formatTimestampOrNull(refund?.at ?? null),
    refund_payout_id: refund?.payoutId ?? null,
    refund_units: refund?.units.toString() ?? null,
    refund_target_units: refund?.targetUnits.toString() ?? null,
    refund_undone_at: formatTimestampOrNull(transfer.undoneRefund?.undoneAt ?? null),
    message: transfer.message,
    user_message: transfer.userMessage,
    created_at: formatTimestamp(transfer.createdAt),
    updated_at: formatTimestamp(transfer.updatedAt),
  };
}

const saveDeposits = statement<never>(
  "outcome.save-deposits",
  `update deposit d set
     status = o.status, status_reason = o.status_reason, status_version = o.status_version,
     target_paid = o.target_paid, target_paid_pending = o.target_paid_pending, source_paid = o.source_paid,
     source_paid_pending = o.source_paid_pending, enrolled = o.enrolled, commission = o.commission,
     source_commission = o.source_commission, assets = o.assets, tally = o.tally, cancelled_at = o.cancelled_at,
     expiry_concluded_at = o.expiry_concluded_at, accepted_at = o.accepted_at, updated_at = o.updated_at
   from jsonb_populate_recordset(null::deposit, $1::jsonb) as o
   where d.account_id = o.account_id and d.id = o.id`,
);

/** Stores what was decided of deposits whose rows the caller holds locked. */
export async function saveDepositOutcomes(
  tx: Executor,
  deposits: readonly Deposit[],
): Promise<void> {
  if (deposits.length === 0) return;
  await tx.query(saveDeposits, [JSON.stringify(deposits.map(outcomeToRow))]);
}

function outcomeToRow(deposit: Deposit) {
  const { sums } = deposit;
  return {
    account_id: deposit.accountId,
    id: deposit.id,
    status: deposit.status,
    status_reason: deposit.statusReason,
    status_version: deposit.statusVersion,
    target_paid: sums.targetPaid.toString(),
    target_paid_pending: sums.targetPaidPending.toString(),
    source_paid: sums.sourcePaid.toString(),
    source_paid_pending: sums.sourcePaidPending.toString(),
    enrolled: sums.enrolled.toString(),
    commission: sums.commission.toString(),
    source_commission: sums.sourceCommission.toString(),
    assets: Object.fromEntries(
      Object.entries(deposit.assets).map(([id, units]) => [id, units.toString()]),
    ),
    tally: tallyToRow(deposit.tally, deposit.updatedAt),
    cancelled_at: formatTimestampOrNull(deposit.cancelledAt),
    expiry_concluded_at: formatTimestampOrNull(deposit.expiryConcludedAt),
    accepted_at: formatTimestampOrNull(deposit.acceptedAt),
    updated_at: formatTimestamp(deposit.updatedAt),
  };
}
