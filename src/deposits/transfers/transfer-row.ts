import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import {
  type AnyTransfer,
  type Disposition,
  type HoldReason,
  type OperationType,
  type PayoutTransfer,
  type Refund,
  type RiskStatus,
  type TransferRecord,
  type TransferStatus,
} from "./transfer.ts";

/** A row of `transfer` as PostgreSQL gives it: a deposit's. */
export type TransferRow = {
  readonly account_id: string;
  readonly id: string;
  readonly op_type: number;
  readonly status: number;
  readonly wallet_id: string;
  readonly deposit_id: string;
  readonly currency: string | null;
  readonly asset_locator: string | null;
  readonly units: bigint;
  readonly commission_units: bigint;
  readonly target_units: bigint;
  readonly target_commission_units: bigint;
  readonly rate: bigint | null;
  readonly judged_rate: bigint | null;
  readonly judged_rate_exp: number | null;
  readonly judged_target_units: bigint | null;
  readonly rate_exp: number | null;
  readonly chain: string;
  readonly txid: string | null;
  readonly output_index: string | null;
  readonly watch_key: string | null;
  readonly from_addresses: readonly string[];
  readonly spends: readonly string[];
  readonly first_seen_at: Instant;
  readonly revalued_at: Instant | null;
  readonly block_height: string | null;
  readonly block_hash: string | null;
  readonly spendable_from_height: string | null;
  readonly disposition: string;
  readonly is_confirmed: boolean;
  readonly confirmed_at: Instant | null;
  readonly is_settled: boolean;
  readonly vouched_hash: string | null;
  readonly awaits_opinion_since: Instant | null;
  readonly due_height: string | null;
  readonly revision: number;
  readonly reason: string | null;
  readonly risk: number | null;
  readonly risk_status: number;
  readonly released_at: Instant | null;
  readonly refunded_at: Instant | null;
  readonly refund_payout_id: string | null;
  readonly refund_units: bigint | null;
  readonly refund_target_units: bigint | null;
  readonly refund_undone_at: Instant | null;
  readonly message: string | null;
  readonly user_message: string | null;
  readonly created_at: Instant;
  readonly updated_at: Instant;
};

/** Columns of `TransferRow`, for a select from `transfer as t`. */
export const transferColumns = `
  t.account_id, t.id, t.op_type, t.status, t.wallet_id, t.deposit_id, t.currency, t.asset_locator, t.units,
  t.commission_units, t.target_units, t.target_commission_units, t.rate, t.rate_exp,
  t.judged_rate, t.judged_rate_exp, t.judged_target_units, t.chain, t.txid, t.output_index,
  t.watch_key, t.from_addresses, t.spends, t.first_seen_at, t.revalued_at, t.block_height, t.block_hash, t.spendable_from_height,
  t.disposition, t.is_confirmed, t.confirmed_at, t.is_settled, t.vouched_hash, t.awaits_opinion_since, t.due_height, t.revision, t.reason, t.risk,
  t.risk_status, t.released_at, t.refunded_at, t.refund_payout_id, t.refund_units, t.refund_target_units,
  t.refund_undone_at, t.message, t.user_message, t.created_at, t.updated_at`;

/** The transfer of a deposit's row. */
export function transferFromRow(row: TransferRow): TransferRecord {
  return {
    accountId: row.account_id,
    id: row.id,
    walletId: row.wallet_id,
    depositId: row.deposit_id,
    currency: row.currency as CurrencyId | null,
    assetLocator: row.asset_locator,
    units: row.units,
    chain: row.chain,
    txid: row.txid,
    outputIndex: row.output_index === null ? null : Number(row.output_index),
    watchKey: row.watch_key,
    from: row.from_addresses,
    spends: row.spends,
    firstSeenAt: row.first_seen_at,
    revaluedAt: row.revalued_at,
    block: blockOf(row),
    spendableFromHeight: heightOrNull(row.spendable_from_height),
    isCancelled: row.status === -3,
    rate:
      row.rate === null || row.rate_exp === null ? null : { units: row.rate, exp: row.rate_exp },
    targetUnits: row.target_units,
    commissionUnits: row.commission_units,
    targetCommissionUnits: row.target_commission_units,
    judged: judgedOf(row),
    risk: row.risk,
    riskStatus: row.risk_status as RiskStatus,
    releasedAt: row.released_at,
    ...refundsOf(row),
    opType: row.op_type as OperationType,
    status: row.status as TransferStatus,
    disposition: row.disposition as Disposition,
    reason: row.reason as HoldReason | null,
    isConfirmed: row.is_confirmed,
    confirmedAt: row.confirmed_at,
    isSettled: row.is_settled,
    vouchedHash: row.vouched_hash,
    awaitsOpinionSince: row.awaits_opinion_since,
    dueHeight: heightOrNull(row.due_height),
    revision: row.revision,
    message: row.message,
    userMessage: row.user_message,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Any row of `transfer`: a deposit's, or a payout's, which has no place on the chain before it is broadcast. */
export type AnyTransferRow = (TransferRow & { readonly payout_id: null }) | PayoutTransferRow;

type PayoutTransferRow = Omit<TransferRow, "deposit_id" | "txid" | "output_index" | "watch_key"> & {
  readonly deposit_id: null;
  readonly payout_id: string;
  readonly txid: string | null;
  readonly fee_units: bigint;
  readonly cleared_units: bigint | null;
  readonly fee_currency: string | null;
};

/** Columns of `AnyTransferRow`, for a select from `transfer as t`. */
export const anyTransferColumns = `${transferColumns}, t.payout_id, t.fee_units, t.cleared_units, t.fee_currency`;

/** The transfer of a row, a deposit's or a payout's. */
export function anyTransferFromRow(row: AnyTransferRow): AnyTransfer {
  return row.payout_id === null ? transferFromRow(row) : payoutTransferFromRow(row);
}

function payoutTransferFromRow(row: PayoutTransferRow): PayoutTransfer {
  const what = `of payout ${row.payout_id}`;
  return {
    accountId: row.account_id,
    id: row.id,
    walletId: row.wallet_id,
    payoutId: row.payout_id,
    opType: row.op_type as PayoutTransfer["opType"],
    status: row.status as TransferStatus,
    disposition: "payout",
    currency: present(row.currency, `currency ${what}`) as CurrencyId,
    units: row.units,
    clearedUnits: present(row.cleared_units, `cleared amount ${what}`),
    commissionUnits: row.commission_units,
    fee: {
      units: row.fee_units,
      currency: present(row.fee_currency, `fee currency ${what}`) as CurrencyId,
    },
    chain: row.chain,
    txid: row.txid,
    block: blockOf(row),
    isConfirmed: row.is_confirmed,
    confirmedAt: row.confirmed_at,
    isSettled: row.is_settled,
    revision: row.revision,
    risk: row.risk,
    riskStatus: row.risk_status as RiskStatus,
    releasedAt: row.released_at,
    message: row.message,
    userMessage: row.user_message,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function judgedOf(row: TransferRow): TransferRecord["judged"] {
  const { judged_rate: units, judged_rate_exp: exp, judged_target_units: targetUnits } = row;
  if (units === null || exp === null || targetUnits === null) return null;
  return { rate: { units, exp }, targetUnits };
}

function refundsOf(row: TransferRow): Pick<TransferRecord, "refund" | "undoneRefund"> {
  const { refunded_at: at, refund_payout_id: payoutId, refund_target_units: targetUnits } = row;
  if (at === null || payoutId === null || targetUnits === null) {
    return { refund: null, undoneRefund: null };
  }
  const newest: Refund = { at, payoutId, units: row.refund_units ?? row.units, targetUnits };
  const undoneAt = row.refund_undone_at;
  return undoneAt === null
    ? { refund: newest, undoneRefund: null }
    : { refund: null, undoneRefund: { ...newest, undoneAt } };
}

function blockOf(row: Pick<TransferRow, "block_height" | "block_hash">): TransferRecord["block"] {
  return row.block_height === null || row.block_hash === null
    ? null
    : { height: Number(row.block_height), hash: row.block_hash };
}

function heightOrNull(text: string | null): number | null {
  return text === null ? null : Number(text);
}
