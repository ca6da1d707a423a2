import type { WatchedTransfer } from "../../chains/block-sink.ts";
import { type BlockRef, creditableUnits } from "../../chains/port.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import type { Deposit } from "../deposit.ts";
import {
  operationType,
  riskStatus,
  type TransferRecord,
  transferStatus,
} from "../transfers/transfer.ts";

/** The value of a transfer that has no price yet. */
export const unpriced = {
  rate: null,
  targetUnits: 0n,
  commissionUnits: 0n,
  targetCommissionUnits: 0n,
  judged: null,
} as const;

/** The state of a transfer before any decision. */
export const undecided = {
  revaluedAt: null,
  isCancelled: false,
  fiat: null,
  ...unpriced,
  risk: null,
  releasedAt: null,
  refund: null,
  undoneRefund: null,
  status: transferStatus.unconfirmed,
  disposition: "pending",
  reason: null,
  isConfirmed: false,
  confirmedAt: null,
  isSettled: false,
  vouchedHash: null,
  awaitsOpinionSince: null,
  dueHeight: null,
  revision: 0,
  message: null,
  userMessage: null,
} as const satisfies Partial<TransferRecord>;

/**
 * A transfer when it is first seen, in a block or (null) in the mempool. `firstSeenAt` is the block's time or now, whichever is
 * earlier; it decides whether the payment is on time.
 */
export function newTransfer(
  hit: WatchedTransfer,
  id: string,
  chain: string,
  block: Omit<BlockRef, "parentHash"> | null,
  now: Instant,
  settings: { readonly isScreened: boolean; readonly currencies: CurrencyRegistry },
): TransferRecord {
  const { transfer, senders } = hit;
  const { asset } = transfer;
  const units = creditableUnits(transfer);
  const isDust =
    asset.kind === "currency" &&
    units < settings.currencies.get(asset.amount.currency).minimalTransferUnits;
  return {
    accountId: hit.accountId,
    id,
    walletId: hit.walletId,
    depositId: hit.depositId,
    currency: asset.kind === "currency" ? asset.amount.currency : null,
    assetLocator: asset.kind === "unlisted" ? asset.locator : null,
    units,
    withheldUnits: transfer.withheldUnits ?? null,
    chain,
    txid: transfer.key.txid,
    outputIndex: transfer.key.index,
    watchKey: transfer.to,
    from: senders.addresses,
    spends: senders.claims,
    firstSeenAt: block !== null && block.time < now ? block.time : now,
    block: block === null ? null : { height: block.height, hash: block.hash },
    spendableFromHeight: transfer.spendableFromHeight,
    ...undecided,
    riskStatus:
      settings.isScreened && asset.kind === "currency"
        ? riskStatus.queued
        : riskStatus.notAvailable,
    opType: isDust ? operationType.dust : operationType.deposit,
    createdAt: now,
    updatedAt: now,
  };
}

/** Records that a block includes a known transfer. Idempotent. */
export function includeTransfer(
  transfer: TransferRecord,
  hit: WatchedTransfer,
  block: Omit<BlockRef, "parentHash">,
  settings: { readonly revalueAfterSeconds: number },
): TransferRecord {
  if (transfer.block?.hash === block.hash) return transfer;
  // A payment that was reported before a reorg removed it keeps its reported value.
  const isStale =
    transfer.block === null &&
    transfer.revision === 0 &&
    !transfer.isConfirmed &&
    block.time > addSeconds(transfer.firstSeenAt, settings.revalueAfterSeconds);
  return {
    ...transfer,
    isCancelled: false,
    block: { height: block.height, hash: block.hash },
    spendableFromHeight: hit.transfer.spendableFromHeight,
    firstSeenAt: block.time < transfer.firstSeenAt ? block.time : transfer.firstSeenAt,
    spends: hit.senders.claims,
    ...(isStale ? { ...unpriced, revaluedAt: block.time } : {}),
  };
}

/** Records that the block left the best chain. A deposit with `confirmationsNeeded` 0 keeps the confirmation. */
export function orphanTransfer(
  transfer: TransferRecord,
  deposit: Pick<Deposit, "confirmationsNeeded">,
): TransferRecord {
  const staysConfirmed = transfer.isConfirmed && deposit.confirmationsNeeded === 0;
  return {
    ...transfer,
    block: null,
    isConfirmed: staysConfirmed,
    confirmedAt: staysConfirmed ? transfer.confirmedAt : null,
    isSettled: false,
    revision: transfer.revision + Number(transfer.isConfirmed || transfer.isSettled),
  };
}

/** Records that a conflicting transaction confirmed: while it is on the best chain, this one cannot confirm. */
export function cancelTransfer(transfer: TransferRecord): TransferRecord {
  return {
    ...transfer,
    isCancelled: true,
    isConfirmed: false,
    confirmedAt: null,
    isSettled: false,
    revision: transfer.revision + Number(transfer.isConfirmed || transfer.isSettled),
  };
}

/** Makes a canceled transfer pending again. */
export function reviveTransfer(transfer: TransferRecord): TransferRecord {
  return transfer.block === null && transfer.isCancelled
    ? { ...transfer, isCancelled: false }
    : transfer;
}
