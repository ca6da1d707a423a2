import type { StrayTransfer } from "../../chains/block-sink.ts";
import type { BlockRef } from "../../chains/port.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { Money } from "../../platform/kernel/money.ts";
import type { Deposit } from "../deposit.ts";
import type { NewReceipt, Receipt } from "./receipt.ts";

/** A receipt when a block first shows it; below the currency's minimum it is dust. */
export function newReceipt(
  { transfer, senders, tag }: StrayTransfer,
  amount: Money,
  place: { readonly chain: string; readonly address: string; readonly block: BlockRef },
  minimalUnits: bigint,
  now: Instant,
): NewReceipt {
  const { chain, address, block } = place;
  return {
    chain,
    address,
    tag,
    txid: transfer.key.txid,
    outputIndex: transfer.key.index,
    watchKey: transfer.to,
    currency: amount.currency,
    units: amount.units,
    from: senders.addresses,
    spends: senders.claims,
    spendableFromHeight: transfer.spendableFromHeight,
    receivedAt: block.time < now ? block.time : now,
    block: { height: block.height, hash: block.hash },
    vouchedHash: null,
    state: amount.units < minimalUnits ? "dust" : "waiting",
    owner: null,
    depositId: null,
    payoutId: null,
    decidedAt: null,
    reason: null,
    createdAt: now,
    updatedAt: now,
  };
}

/** Records that a block contains it. Idempotent. */
export function includeReceipt(
  receipt: Receipt,
  block: Pick<BlockRef, "height" | "hash">,
  now: Instant,
): Receipt {
  if (receipt.block?.hash === block.hash) return receipt;
  return { ...receipt, block: { height: block.height, hash: block.hash }, updatedAt: now };
}

/** Records that its block left the best chain. A decision about it stays. */
export function orphanReceipt(receipt: Receipt, now: Instant): Receipt {
  return { ...receipt, block: null, updatedAt: now };
}

/** Why an operator cannot decide about it now; null: they can. */
export function obstacleToDecision({ state, block }: Receipt): string | null {
  switch (state) {
    case "assigned":
      return "This payment has already been assigned to a deposit.";
    case "returning":
      return "This payment is being returned, or has been returned.";
    case "dust":
      return "This payment is below the currency's minimum.";
    case "waiting":
      return block === null ? "A reorg has removed this payment from the chain." : null;
  }
}

/** Gives a waiting receipt to a deposit. An earlier return of it that was undone cannot come back. */
export function assignTo(
  receipt: Receipt,
  { id, accountId, walletId }: Pick<Deposit, "id" | "accountId" | "walletId">,
  reason: string,
  now: Instant,
): Receipt {
  return {
    ...receipt,
    state: "assigned",
    owner: { accountId, walletId },
    depositId: id,
    payoutId: null,
    decidedAt: now,
    reason,
    updatedAt: now,
  };
}

/** Returns a waiting receipt with a payout of the wallet that is credited. */
export function returnThrough(
  receipt: Receipt,
  decision: Pick<Receipt, "owner" | "payoutId" | "reason">,
  now: Instant,
): Receipt {
  const { owner, payoutId, reason } = decision;
  return {
    ...receipt,
    state: "returning",
    owner,
    payoutId,
    reason,
    decidedAt: now,
    updatedAt: now,
  };
}
