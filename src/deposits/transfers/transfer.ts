import {
  type Column,
  columnList,
  flag,
  group,
  height,
  id,
  instant,
  integer,
  orNull,
  type Row,
  rate,
  recordReader,
  text,
  textArray,
  units,
  writeRecord,
} from "../../platform/db/columns.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { divide } from "../../platform/kernel/rounding.ts";
import { formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";

/** The interface's numbers for a transfer's status. */
export const transferStatus = {
  cancelled: -3,
  blocked: -2,
  failed: -1,
  created: 0,
  unconfirmed: 1,
  confirmed: 2,
} as const;

export type TransferStatus = (typeof transferStatus)[keyof typeof transferStatus];

export const operationType = {
  deposit: 1,
  payout: 2,
  transportFee: 9,
  commission: 11,
  topUp: 14,
  dust: 15,
  walletActivation: 19,
  algorandActivation: 49,
} as const;

export type OperationType = (typeof operationType)[keyof typeof operationType];

export const riskStatus = { green: 1, queued: 2, red: 3, notAvailable: 4 } as const;

export type RiskStatus = (typeof riskStatus)[keyof typeof riskStatus];

export const transferStatuses = [
  { value: transferStatus.cancelled, name: "Canceled" },
  { value: transferStatus.blocked, name: "Blocked" },
  { value: transferStatus.failed, name: "Failed" },
  { value: transferStatus.created, name: "Created" },
  { value: transferStatus.unconfirmed, name: "Unconfirmed" },
  { value: transferStatus.confirmed, name: "Confirmed" },
] as const;

export const operationTypes = [
  { value: operationType.deposit, name: "Deposit" },
  { value: operationType.payout, name: "Payout" },
  { value: operationType.transportFee, name: "Token transport fee" },
  { value: operationType.commission, name: "Commission" },
  { value: operationType.topUp, name: "Top-up" },
  { value: operationType.dust, name: "Dust" },
  { value: operationType.walletActivation, name: "Wallet activation" },
  { value: operationType.algorandActivation, name: "Algorand address activation" },
] as const;

export const riskStatuses = [
  { value: riskStatus.green, name: "Checked, green" },
  { value: riskStatus.queued, name: "Queued" },
  { value: riskStatus.red, name: "Checked, red" },
  { value: riskStatus.notAvailable, name: "Not available" },
] as const;

/**
 * The state of a transfer's money: `pending` until its confirmations (or its deposit's amount) are complete, `credited` to the
 * wallet, `refunded` when it was credited and refunded at once, `unresolved` while it is on hold, `blocked` by screening, `dust`
 * below the minimum, `misplaced` when it is not the deposit's currency, `none` when the payment did not happen.
 */
export type Disposition =
  | "pending"
  | "credited"
  | "refunded"
  | "unresolved"
  | "blocked"
  | "dust"
  | "misplaced"
  | "none";

/** Why money is on hold. */
export type HoldReason =
  | "overpaid"
  | "late"
  | "second_payment"
  | "partial"
  | "cancelled"
  | "screening";

/**
 * A refund of a payment, in full or in part: the payout, the refunded units, and what the wallet was credited for them, in units
 * of its currency. The rest of the payment was accepted.
 */
export type Refund = {
  readonly at: Instant;
  readonly payoutId: string;
  readonly units: bigint;
  readonly targetUnits: bigint;
};

/** A refund whose payout was canceled or failed: the payment is on hold again since `undoneAt`. */
export type UndoneRefund = Refund & { readonly undoneAt: Instant };

/*
 * The definition of a stored transfer: each attribute once, with its column. The type, the select lists, the insert and both
 * conversions follow from it.
 */

/** Never changes. */
const transferOrigin = {
  accountId: id("account_id"),
  id: id("id"),
  walletId: id("wallet_id"),
  depositId: id("deposit_id"),
  /** Null for a token that the deployment does not list; `assetLocator` then names it. */
  currency: orNull(text<CurrencyId>("currency")),
  assetLocator: orNull(text("asset_locator")),
  /** What counts, without the withheld units. */
  units: units("units"),
  /**
   * What arrived beside and can never be paid out: nobody is credited it. Null on chains where everything can be paid out, and for payments
   * that were recorded before this was known, whose `units` are all that arrived.
   */
  withheldUnits: orNull(units("withheld_units")),
  chain: text("chain"),
  /** The transaction, its output, and the watch key it paid; null for an off-chain payment, which has no transaction. */
  txid: orNull(text("txid")),
  outputIndex: orNull(height("output_index")),
  watchKey: orNull(text("watch_key")),
  createdAt: instant("created_at"),
};

const block = orNull(group({ height: height("block_height"), hash: text("block_hash") }));

const fiat = orNull(
  group({
    currency: text<CurrencyId>("fiat_currency"),
    rate: rate("fiat_rate", "fiat_rate_exp"),
  }),
);

/** The chain's facts, which may change, then what was decided from them. */
export const transferState = {
  from: textArray("from_addresses"),
  spends: textArray("spends"),
  firstSeenAt: instant("first_seen_at"),
  /** When the payment was revalued after waiting too long for a block; null: valued as of `firstSeenAt`. */
  revaluedAt: orNull(instant("revalued_at")),
  block,
  spendableFromHeight: orNull(height("spendable_from_height")),
  /** Price in the wallet's currency; null until one is available. */
  rate: orNull(rate("rate", "rate_exp")),
  targetUnits: units("target_units"),
  commissionUnits: units("commission_units"),
  targetCommissionUnits: units("target_commission_units"),
  /** The price in the account's fiat currency, of when the payment was first priced; null if none was known. Never changes. */
  fiat,
  /** The value before a decision revalued the payment, by which its deposit's status is decided; null if it was not revalued. */
  judged: orNull(
    group({
      rate: rate("judged_rate", "judged_rate_exp"),
      targetUnits: units("judged_target_units"),
    }),
  ),
  risk: orNull(integer("risk")),
  riskStatus: integer<RiskStatus>("risk_status"),
  releasedAt: orNull(instant("released_at")),
  opType: integer<OperationType>("op_type"),
  status: integer<TransferStatus>("status"),
  disposition: text<Disposition>("disposition"),
  reason: orNull(text<HoldReason>("reason")),
  isConfirmed: flag("is_confirmed"),
  confirmedAt: orNull(instant("confirmed_at")),
  isSettled: flag("is_settled"),
  /** The block for which another node has confirmed the transfer; null if none has. */
  vouchedHash: orNull(text("vouched_hash")),
  /** Since when the transfer is deep enough to be settled but still needs another node's confirmation. */
  awaitsOpinionSince: orNull(instant("awaits_opinion_since")),
  dueHeight: orNull(height("due_height")),
  revision: integer("revision"),
  message: orNull(text("message")),
  userMessage: orNull(text("user_message")),
  updatedAt: instant("updated_at"),
};

type Refunds = {
  /** The refund in force. A reorg that removes and restores the payment restores it as refunded. */
  readonly refund: Refund | null;
  /** The newest refund, if it was undone. A reorg that brings its payout back restores it unless something else was decided. */
  readonly undoneRefund: UndoneRefund | null;
};

/** Both refunds share their columns: only the newest one is stored. */
export const transferRefunds: Column<Refunds> = {
  types: {
    refunded_at: "timestamptz",
    refund_payout_id: "bigint",
    refund_units: "numeric",
    refund_target_units: "numeric",
    refund_undone_at: "timestamptz",
  },
  read: (row) => {
    const newest = storedRefund.read(row);
    if (newest === null) return { refund: null, undoneRefund: null };
    const refund = { ...newest, units: (row["refund_units"] ?? row["units"]) as bigint };
    const undoneAt = row["refund_undone_at"] as Instant | null;
    return undoneAt === null
      ? { refund, undoneRefund: null }
      : { refund: null, undoneRefund: { ...refund, undoneAt } };
  },
  write: ({ refund, undoneRefund }) => {
    const newest = refund ?? undoneRefund;
    return {
      ...storedRefund.write(newest),
      refund_units: newest === null ? null : newest.units.toString(),
      refund_undone_at: formatTimestampOrNull(undoneRefund?.undoneAt ?? null),
    };
  },
};

const storedRefund = orNull(
  group({
    at: instant("refunded_at"),
    payoutId: id("refund_payout_id"),
    targetUnits: units("refund_target_units"),
  }),
);

/** Another transaction took its place, or its block is gone permanently. */
const isCancelled = {
  types: { status: "integer" },
  read: (row: Row) => row["status"] === transferStatus.cancelled,
};

const readTransferFields = recordReader({ ...transferOrigin, ...transferState, isCancelled });

/** What a store writes of a transfer; `transferToRow` returns the values. */
export const transferFields = { ...transferOrigin, ...transferState };

/** A stored transfer of a deposit. */
export type TransferRecord = ReturnType<typeof readTransferFields> & Refunds;

/** The columns that `transferFromRow` reads, for a select from `transfer as t`. */
export const transferColumns = columnList({ ...transferFields, transferRefunds }, "t");

export function transferFromRow(row: Row): TransferRecord {
  return { ...readTransferFields(row), ...transferRefunds.read(row) };
}

export function transferToRow(transfer: TransferRecord): JsonObject {
  return { ...writeRecord(transferFields, transfer), ...transferRefunds.write(transfer) };
}

/** What changes with a payout's progress. */
export const payoutTransferProgress = {
  status: transferState.status,
  /** Null before it is broadcast, and always for an off-chain payout. */
  txid: transferOrigin.txid,
  block,
  isConfirmed: transferState.isConfirmed,
  confirmedAt: transferState.confirmedAt,
  isSettled: transferState.isSettled,
  revision: transferState.revision,
  risk: transferState.risk,
  riskStatus: transferState.riskStatus,
  releasedAt: transferState.releasedAt,
  message: transferState.message,
  userMessage: transferState.userMessage,
  updatedAt: transferState.updatedAt,
};

/** What a store writes of a payout's transfer. */
export const payoutTransferFields = {
  accountId: transferOrigin.accountId,
  id: transferOrigin.id,
  walletId: transferOrigin.walletId,
  payoutId: id("payout_id"),
  /** `topUp`: what an internal payout credited to a wallet of its account. */
  opType: integer<typeof operationType.payout | typeof operationType.topUp>("op_type"),
  disposition: text<"payout">("disposition"),
  currency: text<CurrencyId>("currency"),
  /** As requested. */
  units: transferOrigin.units,
  /** The amount that the receiver gets: without the fee where that is included. */
  clearedUnits: units("cleared_units"),
  commissionUnits: transferState.commissionUnits,
  /** The network fee charged to the payer. */
  fee: group({ units: units("fee_units"), currency: text<CurrencyId>("fee_currency") }),
  chain: transferOrigin.chain,
  /** The price in the account's fiat currency, of when the account committed to the payout; null if none was known. */
  fiat,
  /** The same of a fee in another currency than the payout's; null for other fees, which have the payout's price. */
  feeFiat: orNull(
    group({
      currency: text<CurrencyId>("fee_fiat_currency"),
      rate: rate("fee_fiat_rate", "fee_fiat_rate_exp"),
    }),
  ),
  createdAt: transferOrigin.createdAt,
  ...payoutTransferProgress,
};

const readPayoutTransfer = recordReader(payoutTransferFields);

/** A payout's progress, shown as a transfer; every payout has one from its creation. */
export type PayoutTransfer = ReturnType<typeof readPayoutTransfer>;

/** The columns that `anyTransferFromRow` reads, for a select from `transfer as t`. */
export const anyTransferColumns = `${transferColumns}, t.payout_id, t.fee_units, t.cleared_units, t.fee_currency,
  t.fee_fiat_currency, t.fee_fiat_rate, t.fee_fiat_rate_exp`;

/** The transfer of a row, a deposit's or a payout's. */
export function anyTransferFromRow(row: Row): AnyTransfer {
  return row["payout_id"] === null ? transferFromRow(row) : readPayoutTransfer(row);
}

/** What the transfer brought to our addresses. */
export function arrivedUnits({
  units,
  withheldUnits,
}: Pick<TransferRecord, "units" | "withheldUnits">): bigint {
  return units + (withheldUnits ?? 0n);
}

/** Whether the payment was refunded in full. */
export function isRefundedInFull({
  refund,
  units,
}: Pick<TransferRecord, "refund" | "units">): boolean {
  return refund !== null && refund.units === units;
}

/** The part of a payment that was not refunded, and its value in the wallet's currency at the payment's own price, rounded down. */
export function unrefundedPart({
  refund,
  units,
  targetUnits,
}: Pick<TransferRecord, "refund" | "units" | "targetUnits">): {
  readonly units: bigint;
  readonly targetUnits: bigint;
} {
  if (refund === null) return { units, targetUnits };
  const kept = units - refund.units;
  return { units: kept, targetUnits: divide(targetUnits * kept, units, "down") };
}

/** Paid off-chain by a payout of this service, without confirmations. */
export function isOffChain(transfer: Pick<TransferRecord, "txid">): boolean {
  return transfer.txid === null;
}

/** A deposit's or a payout's transfer, as lists and callbacks show them. */
export type AnyTransfer = TransferRecord | PayoutTransfer;

/** Whether the transfer belongs to a payout. */
export function isPayoutTransfer(transfer: AnyTransfer): transfer is PayoutTransfer {
  return transfer.disposition === "payout";
}

/** A transfer with the height of its chain's tip, from which confirmations are counted. */
export type TransferWithTip = {
  readonly transfer: AnyTransfer;
  readonly tipHeight: number | null;
  /** Of its deposit or payout. */
  readonly trackingId: string | null;
};

/** A transfer that screening or policy holds, as operators see it. */
export type HeldTransfer = TransferWithTip & {
  readonly accountName: string;
  /** The address that was paid. */
  readonly address: string | null;
};
