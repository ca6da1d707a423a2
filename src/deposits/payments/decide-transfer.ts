import type { Instant } from "../../platform/kernel/clock.ts";
import type { Deposit } from "../deposit.ts";
import { confirmationHeight } from "../transfers/confirmation-height.ts";
import {
  type Disposition,
  type HoldReason,
  isOffChain,
  isRefundedInFull,
  operationType,
  riskStatus,
  type TransferRecord,
  transferStatus,
} from "../transfers/transfer.ts";

/** Classifies an arriving transfer, once. A minimum that an operator raises later does not change it. */
export type Kind = "payment" | "dust" | "misplaced";

/** Classifies a transfer by its currency and amount. */
export function kindOf(
  transfer: Pick<TransferRecord, "currency" | "opType">,
  deposit: Pick<Deposit, "currency">,
): Kind {
  if (transfer.currency === null || transfer.currency !== deposit.currency) return "misplaced";
  return transfer.opType === operationType.dust ? "dust" : "payment";
}

/** Only payments that may be credited are screened. */
export function withoutNeedlessScreening(transfer: TransferRecord, kind: Kind): TransferRecord {
  return kind !== "payment" && transfer.riskStatus === riskStatus.queued
    ? { ...transfer, riskStatus: riskStatus.notAvailable }
    : transfer;
}

/**
 * Advances a transfer for the best chain's tip at `tipHeight`. It is Confirmed at the client's count (by default the currency's)
 * and settled at the currency's own, both only once it is screened and has a price. If it needs another node's confirmation, it
 * is not settled before that, nor Confirmed at a count that is no smaller than the currency's own. A reached count is final until
 * the transfer's own block is orphaned. A block that the network has locked counts as having reached the currency's own count. An
 * off-chain payment is both at once.
 */
export function advance(
  transfer: TransferRecord,
  deposit: Pick<Deposit, "confirmationsNeeded">,
  ownCount: number,
  tipHeight: number | null,
  now: Instant,
  needsOpinion: boolean,
  isLocked = false,
): TransferRecord {
  const isReady =
    !transfer.isCancelled &&
    transfer.rate !== null &&
    transfer.riskStatus !== riskStatus.queued &&
    !isHeldBack(transfer);
  const clientCount = deposit.confirmationsNeeded ?? ownCount;
  const confirmAt = heightOf(transfer, clientCount);
  const settleAt = laterHeight(heightOf(transfer, ownCount), transfer.spendableFromHeight);
  const reached = (height: number | null): boolean =>
    height !== null && tipHeight !== null && tipHeight >= height;
  const hasOwnCount =
    reached(settleAt) ||
    (isLocked && (transfer.spendableFromHeight === null || reached(transfer.spendableFromHeight)));
  const hasClientCount = reached(confirmAt) || (isLocked && clientCount <= ownCount);

  const isAtOnce = isOffChain(transfer);
  const lacksOpinion =
    needsOpinion &&
    !isAtOnce &&
    !transfer.isCancelled &&
    !transfer.isSettled &&
    (transfer.block === null || transfer.vouchedHash !== transfer.block.hash);
  const mayConfirm = !lacksOpinion || clientCount < ownCount;
  const isConfirmed =
    transfer.isConfirmed ||
    (isReady && (isAtOnce || clientCount === 0 || (mayConfirm && hasClientCount)));
  const isSettled = transfer.isSettled || (isReady && !lacksOpinion && (isAtOnce || hasOwnCount));
  const dueHeight = (): number | null => {
    if (transfer.isCancelled) return null;
    // A blocked payment may be refunded once another node has confirmed it.
    if (isHeldBack(transfer)) return lacksOpinion ? settleAt : null;
    return earlierHeight(isConfirmed ? null : confirmAt, isSettled ? null : settleAt);
  };
  return {
    ...transfer,
    isConfirmed,
    confirmedAt: isConfirmed
      ? (transfer.confirmedAt ?? notBefore(transfer.firstSeenAt, now))
      : null,
    isSettled,
    awaitsOpinionSince: lacksOpinion && hasOwnCount ? (transfer.awaitsOpinionSince ?? now) : null,
    dueHeight: dueHeight(),
  };
}

/**
 * Who waits for a deposit's lock decides at the time at which it asked, also about payments that arrived since. A payment confirmed before
 * it was seen would be counted by a cancellation that did not see it, and so stay pending in a canceled deposit.
 */
function notBefore(firstSeenAt: Instant, now: Instant): Instant {
  return now < firstSeenAt ? firstSeenAt : now;
}

/** Blocked by screening and not released. */
export function isBlocked(transfer: TransferRecord): boolean {
  return transfer.riskStatus === riskStatus.red && transfer.releasedAt === null;
}

/** Whether screening stops the transfer. A returned one advances to its end but still does not count as a payment. */
function isHeldBack(transfer: TransferRecord): boolean {
  return isBlocked(transfer) && transfer.refund === null;
}

/** Null while it is in no block. */
function heightOf({ block }: TransferRecord, count: number): number | null {
  return block === null ? null : confirmationHeight(block.height, count);
}

/** `one`, but not before `other` where `other` is given. */
function laterHeight(a: number | null, b: number | null): number | null {
  return a === null || b === null ? a : Math.max(a, b);
}

function earlierHeight(a: number | null, b: number | null): number | null {
  if (a === null) return b;
  return b === null ? a : Math.min(a, b);
}

/** The disposition of the transfer, and the interface's status and messages for it. */
export function conclude(
  transfer: TransferRecord,
  kind: Kind,
  hold: HoldReason | null,
  isCreditable: boolean,
): TransferRecord {
  const disposition = dispositionOf(transfer, kind, hold, isCreditable);
  const blocked = kind === "payment" && !transfer.isCancelled && isBlocked(transfer);
  return {
    ...transfer,
    disposition,
    reason: blocked ? "screening" : hold,
    opType: kind === "misplaced" ? operationType.deposit : transfer.opType,
    status: statusOf(transfer, blocked),
    ...wordsOf(transfer, blocked),
  };
}

function wordsOf(
  transfer: TransferRecord,
  blocked: boolean,
): Pick<TransferRecord, "message" | "userMessage"> {
  if (transfer.isCancelled) return { message: null, userMessage: null };
  if (transfer.refund !== null) {
    const { payoutId } = transfer.refund;
    return isRefundedInFull(transfer)
      ? {
          message: `Refunded by payout ${payoutId}`,
          userMessage: "This payment was refunded",
        }
      : {
          message: `Partially refunded by payout ${payoutId}`,
          userMessage: "Part of this payment was refunded",
        };
  }
  if (blocked) {
    return {
      message: `Held by screening (risk ${transfer.risk ?? 0} of 100)`,
      userMessage: "This payment is under review",
    };
  }
  const message =
    transfer.awaitsOpinionSince === null
      ? null
      : "Waiting for a second node to confirm this payment";
  return { message, userMessage: null };
}

function statusOf(transfer: TransferRecord, blocked: boolean): TransferRecord["status"] {
  if (transfer.isCancelled) return transferStatus.cancelled;
  if (blocked) return transferStatus.blocked;
  return transfer.isConfirmed ? transferStatus.confirmed : transferStatus.unconfirmed;
}

function dispositionOf(
  transfer: TransferRecord,
  kind: Kind,
  hold: HoldReason | null,
  isCreditable: boolean,
): Disposition {
  if (transfer.isCancelled) return "none";
  if (kind !== "payment") return kind;
  if (isRefundedInFull(transfer) && transfer.isSettled) return "refunded";
  if (isBlocked(transfer)) return "blocked";
  if (hold !== null) return "unresolved";
  return isCreditable && transfer.isSettled ? "credited" : "pending";
}
