import type { Currency } from "../../currencies/currency.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { type AnyTransfer, isPayoutTransfer, keptOf, transferStatus } from "./transfer.ts";

/**
 * A transfer as the wire shows it, in lists and in the `included` of callbacks. Confirmations are counted from the best chain's
 * tip, not stored. An asset that the deployment does not list has no currency; its amount is in the token's smallest units. The
 * fee has the precision of the currency that it is charged in: a token's parent coin.
 */
export function transferResource(
  transfer: AnyTransfer,
  currencies: CurrencyRegistry,
  tipHeight: number | null,
) {
  const currency = transfer.currency === null ? null : currencies.get(transfer.currency);
  const amount = (units: bigint): string => formatDecimal(units, currency?.exp ?? 0);
  return {
    type: "transfer",
    id: transfer.id,
    attributes: {
      op_id: Number(isPayoutTransfer(transfer) ? transfer.payoutId : transfer.depositId),
      op_type: transfer.opType,
      amount: amount(transfer.units),
      amount_cleared: amount(clearedUnitsOf(transfer)),
      commission: amount(transfer.disposition === "refunded" ? 0n : transfer.commissionUnits),
      fee: feeText(transfer, currency, currencies),
      txid: transfer.txid,
      status: transfer.status,
      message: messageOf(transfer),
      user_message: transfer.userMessage,
      created_at: formatTimestamp(transfer.createdAt),
      updated_at: formatTimestamp(transfer.updatedAt),
      confirmations: confirmationsOf(transfer, tipHeight),
      risk: transfer.risk,
      risk_status: transfer.riskStatus,
    },
    relationships: {
      currency: {
        data:
          transfer.currency === null ? null : { type: "currency", id: transfer.currency as string },
      },
      wallet: { data: { type: "wallet", id: transfer.walletId } },
    },
  } as const;
}

function clearedUnitsOf(transfer: AnyTransfer): bigint {
  if (isPayoutTransfer(transfer)) return transfer.clearedUnits;
  const isCleared = !["dust", "misplaced", "refunded"].includes(transfer.disposition);
  return isCleared ? keptOf(transfer).units - transfer.commissionUnits : 0n;
}

function feeText(
  transfer: AnyTransfer,
  currency: Currency | null,
  currencies: CurrencyRegistry,
): string {
  return isPayoutTransfer(transfer)
    ? formatDecimal(transfer.fee.units, currencies.get(transfer.fee.currency).exp)
    : formatDecimal(0n, currency?.exp ?? 0);
}

/** Blocks from the transfer's own to the tip, both counted; 0 outside a block. */
function confirmationsOf(transfer: AnyTransfer, tipHeight: number | null): number {
  if (transfer.block === null || tipHeight === null) return 0;
  return Math.max(tipHeight - transfer.block.height + 1, 0);
}

function messageOf(transfer: AnyTransfer): string | null {
  if (transfer.message !== null || isPayoutTransfer(transfer)) return transfer.message;
  if (transfer.status === transferStatus.cancelled)
    return "Another transaction took its place, or the network has forgotten it";
  if (transfer.disposition === "misplaced") {
    return transfer.assetLocator === null
      ? "Arrived in another currency than the deposit's"
      : `Token ${transfer.assetLocator} is not listed here`;
  }
  return transfer.disposition === "unresolved"
    ? `Waits for a decision: ${transfer.reason ?? ""}`
    : null;
}
