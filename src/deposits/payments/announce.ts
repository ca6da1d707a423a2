import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Deposit } from "../deposit.ts";
import { isOffChain, type TransferRecord } from "../transfers/transfer.ts";
import { isBlocked } from "./decide-transfer.ts";

/** A change to report to the merchant. `isDelivered` false: it appears in the event feed only, without a callback. */
export type Announcement = {
  readonly transferId: string | null;
  readonly trigger: string;
  readonly key: string;
  readonly isDelivered: boolean;
};

/** A change of a deposit's status is reported separately from the transfer that caused it, and carries no transfer. */
export function announceStatus(deposit: Deposit): Announcement {
  return {
    transferId: null,
    trigger: "status",
    key: `deposit:${deposit.id}:status:${deposit.statusVersion}`,
    isDelivered: true,
  };
}

/**
 * Reports the changes of a transfer: confirmed at the client's count and settled at the currency's own (one event when these are
 * equal), reversed by a reorg, canceled by a conflict, blocked by screening, or on hold again after its refund was undone. Dust
 * and other assets appear in the event feed only: a receiver that checks no more than amount and status must not take them for
 * payments.
 */
export function announceTransfer(
  before: TransferRecord | null,
  after: TransferRecord,
  deposit: Deposit,
  currencies: CurrencyRegistry,
): readonly Announcement[] {
  const announce = (trigger: string, isDelivered = true): Announcement => ({
    transferId: after.id,
    trigger,
    key: `deposit:${deposit.id}:transfer:${after.id}:${trigger}:${after.revision}`,
    isDelivered,
  });
  const wasNotified =
    before !== null &&
    (before.isConfirmed ||
      before.isSettled ||
      before.revision > 0 ||
      before.disposition === "blocked");
  if (after.isCancelled) {
    return before?.isCancelled === true ? [] : [announce("cancelled", wasNotified)];
  }
  // A batch of blocks can remove a payment and include it again: both ends are confirmed, and a new life lies between them.
  const isReversed = before !== null && after.revision > before.revision;
  const hasSettled = after.isSettled && (before?.isSettled !== true || isReversed);
  if (after.disposition === "dust" || after.disposition === "misplaced") {
    return hasSettled ? [announce(after.disposition, false)] : [];
  }
  // A blocked payment is reported once, as blocked; returning it is not reported as a payment event.
  if (after.refund !== null && isBlocked(after)) return [];
  const list: Announcement[] = [];
  if (before?.refund !== undefined && before.refund !== null && after.refund === null) {
    list.push(refundUndone(after, deposit));
  }
  if (wasNotified && isReversed) list.push(announce("reversed"));
  const wasBlocked = before?.disposition === "blocked" || before?.disposition === "refunded";
  if (after.disposition === "blocked" && !wasBlocked) {
    list.push(announce("blocked"));
  }
  // Without a count of confirmations, the confirmation outlives its block and is reported once.
  const isConfirmedAgain = isReversed && deposit.confirmationsNeeded !== 0;
  if (after.isConfirmed && (before?.isConfirmed !== true || isConfirmedAgain)) {
    list.push(announce("confirmed"));
  }
  if (hasSettled && isSettlingTold(after, deposit, currencies)) {
    list.push(announce("settled"));
  }
  return list;
}

/** Appears in the event feed only: the deposit's status has the callback, and a receiver must not take this for a new payment. */
function refundUndone({ id, undoneRefund }: TransferRecord, deposit: Deposit): Announcement {
  const { payoutId, undoneAt } = present(undoneRefund, `undone refund of transfer ${id}`);
  return {
    transferId: id,
    trigger: "refund_undone",
    key: `deposit:${deposit.id}:transfer:${id}:refund_undone:${payoutId}:${undoneAt}`,
    isDelivered: false,
  };
}

/**
 * Without a count of the client's, with one equal to the currency's own, or off-chain, confirmation and settlement are one event.
 */
function isSettlingTold(
  transfer: TransferRecord,
  deposit: Deposit,
  currencies: CurrencyRegistry,
): boolean {
  if (deposit.confirmationsNeeded === null || transfer.currency === null) return false;
  if (isOffChain(transfer)) return false;
  return deposit.confirmationsNeeded !== currencies.get(transfer.currency).confirmationBlocks;
}
