import { worthInFiat } from "../../currencies/rates/fiat-price.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Notice } from "../../notifications/notice.ts";
import type { NoticeEvent, StatedAmount } from "../../notifications/notice-event.ts";
import { statedAmount } from "../../notifications/stated-amount.ts";
import type { Deposit } from "../deposit.ts";
import { depositStatus } from "../deposit-status.ts";
import {
  operationType,
  type TransferRecord,
  transferStatus,
  unrefundedPart,
} from "../transfers/transfer.ts";

/** A deposit's event: the payment that it is about, or null, and the deposit's payments as far as they are known. */
type Happened = {
  readonly trigger: string;
  readonly deposit: Deposit;
  readonly transfer: TransferRecord | null;
  readonly transfers: readonly TransferRecord[];
};

/**
 * What members are notified of a deposit's event: that it is paid, or that money of it is on hold. Without a requested amount its status
 * never becomes Paid, so each confirmed payment is notified. Null for all other events.
 */
export function depositNotice(happened: Happened, currencies: CurrencyRegistry): Notice | null {
  const event = eventOf(happened, currencies);
  if (event === null) return null;
  const { trigger, deposit } = happened;
  const { accountId, walletId, id, status } = deposit;
  return {
    audience: { accountId, walletId },
    event,
    paidDepositId: trigger === "status" && status === depositStatus.paid ? id : null,
  };
}

function eventOf(happened: Happened, currencies: CurrencyRegistry): NoticeEvent | null {
  const { trigger, deposit, transfer } = happened;
  const { id, label, trackingId, status, targetAmountRequested, sums } = deposit;
  const known = { id, order: trackingId, label };
  const wallet = currencies.get(deposit.walletCurrency);
  if (trigger === "blocked") {
    const paid = transfer?.currency ?? null;
    if (transfer === null || paid === null) return heldEvent(deposit, currencies);
    const amount = statedAmount(transfer.units, currencies.get(paid));
    const worth = worthOf([transfer], deposit, currencies);
    return { kind: "payment_screened", deposit: known, amount, worth, transferId: transfer.id };
  }
  if (trigger === "confirmed" && status === depositStatus.created && targetAmountRequested === null)
    return {
      kind: "payment_received",
      deposit: known,
      amount: statedAmount(transfer?.targetUnits ?? sums.targetPaid, wallet),
      worth: transfer === null ? null : worthOf([transfer], deposit, currencies),
      transferId: transfer?.id ?? null,
    };
  if (trigger !== "status") return null;
  if (status === depositStatus.unresolved) return heldEvent(deposit, currencies);
  if (status !== depositStatus.paid) return null;
  return {
    kind: "payment_received",
    deposit: known,
    amount: statedAmount(sums.targetPaid - refundedOf(happened), wallet),
    worth: worthOfAll(happened, currencies),
    transferId: null,
  };
}

/** What was refunded of a deposit that became Paid with the rest, in the wallet's currency. */
function refundedOf({ transfers }: Pick<Happened, "transfers">): bigint {
  return transfers.reduce(
    (sum, transfer) => sum + transfer.targetUnits - unrefundedPart(transfer).targetUnits,
    0n,
  );
}

function heldEvent(deposit: Deposit, currencies: CurrencyRegistry): NoticeEvent {
  const { id, label, trackingId, statusReason, targetAmountRequested, sums } = deposit;
  const wallet = currencies.get(deposit.walletCurrency);
  const cause = statusReason === "expired" || statusReason === "refunded" ? null : statusReason;
  const excess = sums.targetPaid - (targetAmountRequested ?? sums.targetPaid);
  const isOfAmount = (cause === "overpaid" && excess > 0n) || (cause === "partial" && excess < 0n);
  return {
    kind: "payment_held",
    deposit: { id, order: trackingId, label },
    amount: statedAmount(sums.targetPaid, wallet),
    cause,
    difference: isOfAmount ? statedAmount(excess < 0n ? -excess : excess, wallet) : null,
  };
}

/** What a paid deposit's payments were worth, as its row in the dashboard says; null unless all of them are known here and kept. */
function worthOfAll(
  { deposit, transfers }: Happened,
  currencies: CurrencyRegistry,
): StatedAmount | null {
  const paid = transfers.filter(
    ({ opType, status, currency }) =>
      opType === operationType.deposit &&
      status === transferStatus.confirmed &&
      currency === deposit.currency,
  );
  const sum = paid.reduce((total, { targetUnits }) => total + targetUnits, 0n);
  const isWhole = sum === deposit.sums.targetPaid && refundedOf({ transfers }) === 0n;
  return isWhole ? worthOf(paid, deposit, currencies) : null;
}

/** In the account's fiat currency at the payments' own prices; null where one has none, and for a wallet of that currency. */
function worthOf(
  payments: readonly TransferRecord[],
  { walletCurrency }: Deposit,
  currencies: CurrencyRegistry,
): StatedAmount | null {
  const fiat = payments[0]?.fiat?.currency ?? null;
  if (fiat === null || fiat === walletCurrency) return null;
  let worth = 0n;
  for (const { fiat: price, currency, units } of payments) {
    if (price?.currency !== fiat || currency === null) return null;
    worth += worthInFiat(units, currencies.get(currency), price, currencies);
  }
  return statedAmount(worth, currencies.get(fiat));
}
