import {
  columnList,
  group,
  height,
  id,
  instant,
  orNull,
  type RecordOf,
  recordReader,
  text,
  textArray,
  units,
} from "../../platform/db/columns.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";

/**
 * What becomes of a receipt: `waiting` for an operator; `dust`, below the currency's minimum and never decided on; `assigned` to
 * a deposit; `returning` with a payout, which shows as returned once that payout is final.
 */
export type ReceiptState = "waiting" | "dust" | "assigned" | "returning";

/** Never changes. */
const receiptOrigin = {
  chain: text("chain"),
  txid: text("txid"),
  outputIndex: height("output_index"),
  watchKey: text("watch_key"),
  /** The shared account. */
  address: text("address"),
  /** As the chain shows it; null without one. */
  tag: orNull(text("tag")),
  currency: text<CurrencyId>("currency"),
  units: units("units"),
  from: textArray("from_addresses"),
  spends: textArray("spends"),
  spendableFromHeight: orNull(height("spendable_from_height")),
  /** The time of its first block. */
  receivedAt: instant("received_at"),
  createdAt: instant("created_at"),
};

/** What a store updates. */
export const receiptProgress = {
  /** Null while a reorg has removed it from the chain. */
  block: orNull(group({ height: height("block_height"), hash: text("block_hash") })),
  /** The block for which another node has confirmed it; null if none has. */
  vouchedHash: orNull(text("vouched_hash")),
  state: text<ReceiptState>("state"),
  /** The deposit's wallet, or the wallet through which the money is returned. */
  owner: orNull(group({ accountId: id("account_id"), walletId: id("wallet_id") })),
  depositId: orNull(id("deposit_id")),
  /** The newest payout that returns it. It was canceled or failed if the receipt is waiting. */
  payoutId: orNull(id("payout_id")),
  decidedAt: orNull(instant("decided_at")),
  reason: orNull(text("reason")),
  updatedAt: instant("updated_at"),
};

/** The columns of a receipt that is stored for the first time. */
export const newReceiptFields = { ...receiptOrigin, ...receiptProgress };

export type NewReceipt = RecordOf<typeof newReceiptFields>;

const stored = { id: id("id"), ...newReceiptFields };

/** The receipt of a row selected with `receiptColumns`. */
export const receiptFromRow = recordReader(stored);

/** A transfer to an account that deposits share, under no deposit's tag. */
export type Receipt = ReturnType<typeof receiptFromRow>;

/** The columns that `receiptFromRow` reads, for a select from `unattributed as u`. */
export const receiptColumns = columnList(stored, "u");
