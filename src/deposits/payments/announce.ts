import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Deposit } from "../deposit.ts";
import { isOffChain, type TransferRecord } from "../transfers/transfer.ts";
import { isBlocked } from "./decide-transfer.ts";

/** Something to tell the merchant. `isDelivered` false: it stands in the event feed, but calls nobody back. */
export type Announcement = {
  readonly transferId: string | null;
  readonly trigger: string;
  readonly key: string;
  readonly isDelivered: boolean;
};

/** A change of a deposit's status is told apart from the transfer that caused it, and carries none. */
export function announceStatus(deposit: Deposit): Announcement {
  return {
    transferId: null,
    trigger: "status",
    key: `deposit:${deposit.id}:status:${deposit.statusVersion}`,
    isDelivered: true,
  };
}

/**
 * What to tell of a transfer: confirmed at the client's count and settled at the currency's own (once when these are the same),
 * reversed by a re-org, cancelled by a conflict, blocked by screening, waiting again after its refund was undone. Dust and other assets only stand in the feed: a receiver
 * that looks no further than amount and status must not take them for payments.
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
  const wasTold =
    before !== null &&
    (before.isConfirmed || before.revision > 0 || before.disposition === "blocked");
  if (after.isCancelled) {
    return before?.isCancelled === true ? [] : [announce("cancelled", wasTold)];
  }
  if (after.disposition === "dust" || after.disposition === "misplaced") {
    return after.isSettled && before?.isSettled !== true
      ? [announce(after.disposition, false)]
      : [];
  }
  // What screening holds is told of once, as blocked; that it goes back is no news of a payment.
  if (after.refund !== null && isBlocked(after)) return [];
  const list: Announcement[] = [];
  if (before?.refund !== undefined && before.refund !== null && after.refund === null) {
    list.push(refundUndone(after, deposit));
  }
  if (wasTold && wasReversed(before, after)) list.push(announce("reversed"));
  const wasBlocked = before?.disposition === "blocked" || before?.disposition === "refunded";
  if (after.disposition === "blocked" && !wasBlocked) {
    list.push(announce("blocked"));
  }
  if (after.isConfirmed && before?.isConfirmed !== true) list.push(announce("confirmed"));
  if (after.isSettled && before?.isSettled !== true && isSettlingTold(after, deposit, currencies)) {
    list.push(announce("settled"));
  }
  return list;
}

/** Stands in the feed only: the callback is that of the deposit's status, and a receiver must not take it for a new payment. */
function refundUndone({ id, undoneRefund }: TransferRecord, deposit: Deposit): Announcement {
  const { payoutId, undoneAt } = present(undoneRefund, `undone refund of transfer ${id}`);
  return {
    transferId: id,
    trigger: "refund_undone",
    key: `deposit:${deposit.id}:transfer:${id}:refund_undone:${payoutId}:${undoneAt}`,
    isDelivered: false,
  };
}

function wasReversed(before: TransferRecord | null, after: TransferRecord): boolean {
  return before !== null && after.revision > before.revision;
}

/** With no count of the client's, one equal to the currency's own, or no block to wait for, confirmation and settling are one event. */
function isSettlingTold(
  transfer: TransferRecord,
  deposit: Deposit,
  currencies: CurrencyRegistry,
): boolean {
  if (deposit.confirmationsNeeded === null || transfer.currency === null) return false;
  if (isOffChain(transfer)) return false;
  return deposit.confirmationsNeeded !== currencies.get(transfer.currency).confirmationBlocks;
}
