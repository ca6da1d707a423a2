import type { RiskStatus } from "../deposits/transfers/transfer.ts";
import type { Instant } from "../platform/kernel/clock.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";
import { formatTimestamp, formatTimestampOrNull } from "../platform/kernel/timestamp.ts";
import type { Payout, PayoutStage, PayoutStatus } from "./payout.ts";

/** A row of `payout`, with the id of its `transfer` row. */
export type PayoutRow = {
  readonly account_id: string;
  readonly id: string;
  readonly wallet_id: string;
  readonly status: number;
  readonly stage: string;
  readonly wallet_type: number;
  readonly wallet_currency: string;
  readonly currency: string;
  readonly chain: string;
  readonly units: bigint;
  readonly paid_units: bigint;
  readonly fee_units: bigint;
  readonly fee_currency: string;
  readonly fee_wallet_id: string | null;
  readonly is_fee_included: boolean;
  readonly commission_units: bigint;
  readonly rate: bigint;
  readonly rate_exp: number;
  readonly charged_units: bigint;
  readonly charged_fee_units: bigint;
  readonly address: string | null;
  readonly address_type: string;
  readonly tag_type: string | null;
  readonly tag: string | null;
  readonly target_deposit: string | null;
  readonly target_deposit_id: string | null;
  readonly target_wallet_id: string | null;
  readonly force_blockchain: boolean;
  readonly is_internal: boolean;
  readonly label: string | null;
  readonly tracking_id: string | null;
  readonly confirmations_needed: number | null;
  readonly callback_url: string | null;
  readonly travel_rule_sealed: Uint8Array;
  readonly is_travel_rule_flagged: boolean;
  readonly is_refund: boolean | null;
  readonly revision: number;
  readonly risk: number | null;
  readonly risk_status: number;
  readonly released_at: Instant | null;
  readonly message: string | null;
  readonly user_message: string | null;
  readonly approval: Uint8Array | null;
  readonly created_by_credential_id: string;
  readonly created_by_member_id: string;
  readonly approved_by_member_id: string | null;
  readonly approved_at: Instant | null;
  readonly spend_id: string | null;
  readonly txid: string | null;
  readonly block_height: string | null;
  readonly block_hash: string | null;
  readonly due_height: string | null;
  readonly is_confirmed: boolean;
  readonly is_above_limit: boolean;
  readonly transfer_id: string;
  readonly created_at: Instant;
  readonly updated_at: Instant;
};

/** Table and columns of `PayoutRow` for a select. */
export const payoutTables = "payout p";

export const payoutColumns = `
  p.account_id, p.id, p.wallet_id, p.status, p.stage, p.wallet_type, p.wallet_currency, p.currency, p.chain, p.units,
  p.paid_units, p.fee_units, p.fee_currency, p.fee_wallet_id, p.is_fee_included, p.commission_units, p.rate, p.rate_exp,
  p.charged_units, p.charged_fee_units, p.address, p.address_type, p.tag_type, p.tag, p.target_deposit,
  p.target_deposit_id, p.target_wallet_id, p.force_blockchain, p.is_internal, p.label, p.tracking_id,
  p.confirmations_needed, p.callback_url, p.travel_rule_sealed, p.is_travel_rule_flagged, p.is_refund, p.revision, p.risk,
  p.risk_status, p.released_at, p.message, p.user_message, p.approval, p.created_by_credential_id,
  p.created_by_member_id, p.approved_by_member_id, p.approved_at, p.spend_id, p.txid, p.block_height, p.block_hash,
  p.due_height, p.is_confirmed, p.is_above_limit, p.created_at, p.updated_at,
  (select pt.id from transfer pt where pt.account_id = p.account_id and pt.payout_id = p.id and pt.op_type = 2) as transfer_id`;

/** The payout of a row selected with `payoutColumns`. */
export function payoutFromRow(row: PayoutRow): Payout {
  return {
    accountId: row.account_id,
    id: row.id,
    walletId: row.wallet_id,
    status: row.status as PayoutStatus,
    stage: row.stage as PayoutStage,
    walletType: row.wallet_type,
    walletCurrency: row.wallet_currency as CurrencyId,
    currency: row.currency as CurrencyId,
    chain: row.chain,
    units: row.units,
    paidUnits: row.paid_units,
    feeUnits: row.fee_units,
    feeCurrency: row.fee_currency as CurrencyId,
    feeWalletId: row.fee_wallet_id,
    isFeeIncluded: row.is_fee_included,
    commissionUnits: row.commission_units,
    rate: { units: row.rate, exp: row.rate_exp },
    chargedUnits: row.charged_units,
    chargedFeeUnits: row.charged_fee_units,
    address: row.address,
    addressType: row.address_type,
    tagType: row.tag_type,
    tag: row.tag,
    targetDeposit: row.target_deposit,
    targetDepositId: row.target_deposit_id,
    targetWalletId: row.target_wallet_id,
    forceBlockchain: row.force_blockchain,
    isInternal: row.is_internal,
    label: row.label,
    trackingId: row.tracking_id,
    confirmationsNeeded: row.confirmations_needed,
    callbackUrl: row.callback_url,
    travelRuleSealed: row.travel_rule_sealed,
    isTravelRuleFlagged: row.is_travel_rule_flagged,
    isRefund: row.is_refund === true,
    revision: row.revision,
    risk: row.risk,
    riskStatus: row.risk_status as RiskStatus,
    releasedAt: row.released_at,
    message: row.message,
    userMessage: row.user_message,
    approval: row.approval,
    createdByCredentialId: row.created_by_credential_id,
    createdByMemberId: row.created_by_member_id,
    approvedByMemberId: row.approved_by_member_id,
    approvedAt: row.approved_at,
    spendId: row.spend_id,
    txid: row.txid,
    block:
      row.block_height === null || row.block_hash === null
        ? null
        : { height: Number(row.block_height), hash: row.block_hash },
    dueHeight: row.due_height === null ? null : Number(row.due_height),
    isConfirmed: row.is_confirmed,
    isAboveLimit: row.is_above_limit,
    transferId: row.transfer_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Column names and JSON values of a `payout` row. Bigints are text, which PostgreSQL converts to numeric. */
export function payoutToRow(payout: Payout) {
  return {
    account_id: payout.accountId,
    id: payout.id,
    wallet_id: payout.walletId,
    status: payout.status,
    stage: payout.stage,
    wallet_type: payout.walletType,
    wallet_currency: payout.walletCurrency,
    currency: payout.currency,
    chain: payout.chain,
    units: payout.units.toString(),
    paid_units: payout.paidUnits.toString(),
    fee_units: payout.feeUnits.toString(),
    fee_currency: payout.feeCurrency,
    fee_wallet_id: payout.feeWalletId,
    is_fee_included: payout.isFeeIncluded,
    commission_units: payout.commissionUnits.toString(),
    rate: payout.rate.units.toString(),
    rate_exp: payout.rate.exp,
    charged_units: payout.chargedUnits.toString(),
    charged_fee_units: payout.chargedFeeUnits.toString(),
    address: payout.address,
    address_type: payout.addressType,
    tag_type: payout.tagType,
    tag: payout.tag,
    target_deposit: payout.targetDeposit,
    target_deposit_id: payout.targetDepositId,
    target_wallet_id: payout.targetWalletId,
    force_blockchain: payout.forceBlockchain,
    is_internal: payout.isInternal,
    label: payout.label,
    tracking_id: payout.trackingId,
    confirmations_needed: payout.confirmationsNeeded,
    callback_url: payout.callbackUrl,
    travel_rule_sealed: byteaText(payout.travelRuleSealed),
    is_travel_rule_flagged: payout.isTravelRuleFlagged,
    is_refund: payout.isRefund,
    revision: payout.revision,
    risk: payout.risk,
    risk_status: payout.riskStatus,
    released_at: formatTimestampOrNull(payout.releasedAt),
    message: payout.message,
    user_message: payout.userMessage,
    approval: payout.approval === null ? null : byteaText(payout.approval),
    created_by_credential_id: payout.createdByCredentialId,
    created_by_member_id: payout.createdByMemberId,
    approved_by_member_id: payout.approvedByMemberId,
    approved_at: formatTimestampOrNull(payout.approvedAt),
    spend_id: payout.spendId,
    txid: payout.txid,
    block_height: payout.block?.height ?? null,
    block_hash: payout.block?.hash ?? null,
    due_height: payout.dueHeight,
    is_confirmed: payout.isConfirmed,
    is_above_limit: payout.isAboveLimit,
    created_at: formatTimestamp(payout.createdAt),
    updated_at: formatTimestamp(payout.updatedAt),
  };
}

/** Bytes in PostgreSQL's hex text format. */
function byteaText(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes).toString("hex")}`;
}
