import type { RiskStatus } from "../deposits/transfers/transfer.ts";
import {
  bytes,
  columnList,
  flag,
  group,
  height,
  id,
  instant,
  integer,
  orNull,
  type RecordOf,
  type Row,
  rate,
  recordReader,
  text,
  units,
  uuid,
} from "../platform/db/columns.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";

/** The interface's payout statuses. */
export const payoutStatus = { waiting: 1, approved: 2, canceled: 3 } as const;

export const payoutStatuses = [
  { value: payoutStatus.waiting, name: "Waiting for approve" },
  { value: payoutStatus.approved, name: "Approved" },
  { value: payoutStatus.canceled, name: "Canceled" },
] as const;

export type PayoutStatus = (typeof payoutStatus)[keyof typeof payoutStatus];

/**
 * A payout's progress. `waiting` (for approval) and `held`: funds are held, no transaction yet. `sending`: a spend
 * carries it. `included`: in a block. `confirmed`: at the currency's own count. `failed`, `cancelled`: funds
 * released. `blocked` by screening or policy: funds still held. `internal`: moved inside the service.
 */
export type PayoutStage =
  | "waiting"
  | "held"
  | "sending"
  | "included"
  | "confirmed"
  | "failed"
  | "blocked"
  | "cancelled"
  | "internal";

/*
 * The definition of a stored payout: each attribute once, with its column. The type, the select list, the insert, the update and
 * both conversions follow from it.
 */

/** Determined by the request; never changes. */
const payoutRequested = {
  accountId: id("account_id"),
  walletId: id("wallet_id"),
  walletType: integer("wallet_type"),
  walletCurrency: text<CurrencyId>("wallet_currency"),
  currency: text<CurrencyId>("currency"),
  chain: text("chain"),
  /** The requested amount, in the payment currency. */
  units: units("units"),
  /** What the receiver gets: the amount less an included fee. */
  paidUnits: units("paid_units"),
  /** The network fee charged, in `feeCurrency`. */
  feeUnits: units("fee_units"),
  feeCurrency: text<CurrencyId>("fee_currency"),
  /** The wallet that pays the fee; null if the operator pays it. */
  feeWalletId: orNull(id("fee_wallet_id")),
  isFeeIncluded: flag("is_fee_included"),
  /** Added on top, in the payment currency. */
  commissionUnits: units("commission_units"),
  /** The fee debited from another wallet, in `feeCurrency`; otherwise 0. */
  chargedFeeUnits: units("charged_fee_units"),
  address: orNull(text("address")),
  addressType: text("address_type"),
  tagType: orNull(text("tag_type")),
  tag: orNull(text("tag")),
  targetDeposit: orNull(uuid("target_deposit")),
  targetDepositId: orNull(id("target_deposit_id")),
  targetWalletId: orNull(id("target_wallet_id")),
  forceBlockchain: flag("force_blockchain"),
  isInternal: flag("is_internal"),
  confirmationsNeeded: orNull(integer("confirmations_needed")),
  callbackUrl: orNull(text("callback_url")),
  isTravelRuleFlagged: flag("is_travel_rule_flagged"),
  createdByCredentialId: id("created_by_credential_id"),
  createdByMemberId: id("created_by_member_id"),
};

/** Determined when it is written; never changes. */
const payoutOrigin = {
  id: id("id"),
  travelRuleSealed: bytes("travel_rule_sealed"),
  /** It refunds a payment, which was credited exactly what it charges. Null in rows older than refunds. */
  isRefund: { ...flag("is_refund"), read: (row: Row) => row["is_refund"] === true },
  /** It exceeded one of the account's limits when it was created. */
  isAboveLimit: flag("is_above_limit"),
  createdAt: instant("created_at"),
};

/** Determined by the request, and changed by clients and by the decision that revalues the payout. */
const payoutTerms = {
  label: orNull(text("label")),
  trackingId: orNull(text("tracking_id")),
  /** Ask of the payment currency in the wallet's. */
  rate: rate("rate", "rate_exp"),
  /** The total debit of the paying wallet, in its currency. */
  chargedUnits: units("charged_units"),
  riskStatus: integer<RiskStatus>("risk_status"),
};

/** Written by every change of a payout. */
export const payoutState = {
  ...payoutTerms,
  status: integer<PayoutStatus>("status"),
  stage: text<PayoutStage>("stage"),
  revision: integer("revision"),
  risk: orNull(integer("risk")),
  releasedAt: orNull(instant("released_at")),
  message: orNull(text("message")),
  userMessage: orNull(text("user_message")),
  /** Ed25519 signature over `approvalMessage`; null while waiting and for internal payouts. */
  approval: orNull(bytes("approval")),
  approvedByMemberId: orNull(id("approved_by_member_id")),
  approvedAt: orNull(instant("approved_at")),
  spendId: orNull(id("spend_id")),
  txid: orNull(text("txid")),
  block: orNull(group({ height: height("block_height"), hash: text("block_hash") })),
  dueHeight: orNull(height("due_height")),
  isConfirmed: flag("is_confirmed"),
  updatedAt: instant("updated_at"),
};

/** The columns that a store writes. */
export const payoutFields = { ...payoutRequested, ...payoutOrigin, ...payoutState };

/** Everything about a new payout that follows from the request. Ids, approval and seal are added when it is written. */
export type PayoutTerms = RecordOf<typeof payoutRequested & typeof payoutTerms>;

/** The payout of a row selected with `payoutColumns`. `transferId` is the `transfer` row that shows its progress. */
export const payoutFromRow = recordReader({ ...payoutFields, transferId: id("transfer_id") });

/** A payout as stored. */
export type Payout = ReturnType<typeof payoutFromRow>;

/** The columns that `payoutFromRow` reads, for a select from `payout as p`. */
export const payoutColumns = `${columnList(payoutFields, "p")},
  (select pt.id from transfer pt where pt.account_id = p.account_id and pt.payout_id = p.id and pt.op_type = 2) as transfer_id`;
