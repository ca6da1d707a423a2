import {
  operationType,
  type PayoutTransfer,
  type TransferStatus,
  transferStatus,
} from "../deposits/transfers/transfer.ts";
import type { Payout } from "./payout.ts";
import type { PayoutPrices } from "./payout-prices.ts";
import { chargedFeeOf } from "./positions.ts";

/** The transfer that shows a payout's progress. `before` is null on creation; `prices` are stored only then. */
export function transferOfPayout(
  payout: Payout,
  before: Pick<PayoutTransfer, "confirmedAt"> | null = null,
  prices: PayoutPrices | null = null,
): PayoutTransfer {
  return {
    accountId: payout.accountId,
    id: payout.transferId,
    walletId: payout.walletId,
    payoutId: payout.id,
    opType: operationType.payout,
    status: transferStatusOf(payout),
    disposition: "payout",
    currency: payout.currency,
    units: payout.units,
    clearedUnits: payout.paidUnits,
    commissionUnits: payout.commissionUnits,
    fee: { units: chargedFeeOf(payout), currency: payout.feeCurrency },
    chain: payout.chain,
    fiat: prices?.amount ?? null,
    feeFiat: prices?.fee ?? null,
    txid: payout.txid,
    block: payout.block,
    isConfirmed: payout.isConfirmed,
    confirmedAt: payout.isConfirmed ? (before?.confirmedAt ?? payout.updatedAt) : null,
    isSettled: payout.stage === "confirmed" || payout.stage === "internal",
    revision: payout.revision,
    risk: payout.risk,
    riskStatus: payout.riskStatus,
    releasedAt: payout.releasedAt,
    message: payout.message,
    userMessage: payout.userMessage,
    createdAt: payout.createdAt,
    updatedAt: payout.updatedAt,
  };
}

function transferStatusOf(payout: Payout): TransferStatus {
  switch (payout.stage) {
    case "waiting":
    case "held":
      return transferStatus.created;
    case "sending":
      if (payout.txid === null) return transferStatus.created;
      return payout.isConfirmed ? transferStatus.confirmed : transferStatus.unconfirmed;
    case "included":
    case "confirmed":
      return payout.isConfirmed ? transferStatus.confirmed : transferStatus.unconfirmed;
    case "internal":
      return transferStatus.confirmed;
    case "failed":
      return transferStatus.failed;
    case "blocked":
      return transferStatus.blocked;
    case "cancelled":
      return transferStatus.cancelled;
  }
}
