import type { Instant } from "../../platform/kernel/clock.ts";
import type { Deposit } from "../deposit.ts";
import { depositStatus } from "../deposit-status.ts";
import type { Received } from "../payments/received.ts";
import { isTolerated } from "../payments/tolerance.ts";
import type { CheckoutStage, UnresolvedReason } from "./checkout-state.ts";

export type StageFacts = Pick<
  Deposit,
  | "status"
  | "statusReason"
  | "currency"
  | "targetAmountRequested"
  | "sourceAmountRequested"
  | "inaccuracy"
  | "toleranceBelow"
  | "toleranceAbove"
  | "expiresAt"
>;

export type StageDecision = {
  readonly stage: CheckoutStage;
  readonly reason: UnresolvedReason | null;
  /** Whether a payment sent now would be accepted. */
  readonly isPayable: boolean;
};

/**
 * Decides the payer's view of a deposit from its status, the amounts received, and whether it has expired. A missing value smaller
 * than `least` does not have to be paid. Pure.
 */
export function decideStage(
  facts: StageFacts,
  received: Received,
  now: Instant,
  least: bigint,
): StageDecision {
  switch (facts.status) {
    case depositStatus.paid:
      return { stage: "paid", reason: null, isPayable: false };
    case depositStatus.canceled:
      return ended(facts.statusReason === "expired" ? "expired" : "cancelled");
    case depositStatus.unresolved:
      return { stage: "unresolved", reason: reasonOf(facts), isPayable: false };
    case depositStatus.created:
      return decideCreated(facts, received, now, least);
  }
}

function ended(stage: "expired" | "cancelled"): StageDecision {
  return { stage, reason: null, isPayable: false };
}

function reasonOf({ statusReason }: StageFacts): UnresolvedReason {
  switch (statusReason) {
    case "overpaid":
    case "late":
    case "second_payment":
    case "partial":
    case "cancelled":
      return statusReason;
    case "screening":
    case "expired":
    case "refunded":
    case null:
      return "other";
  }
}

/** An expired deposit stays Created until the chain was scanned up to its expiry; the payer sees the expiry at once. */
function decideCreated(
  facts: StageFacts,
  received: Received,
  now: Instant,
  least: bigint,
): StageDecision {
  const isOver = facts.expiresAt !== null && facts.expiresAt <= now;
  const hasPending = received.sourcePending > 0n;
  const hasAny = hasPending || received.source > 0n;
  if (!hasAny && isOver) return ended("expired");
  if (facts.currency === null) return { stage: "choose", reason: null, isPayable: false };
  if (!hasAny) return { stage: "waiting", reason: null, isPayable: true };
  if (facts.targetAmountRequested === null)
    return { stage: hasPending ? "seen" : "paid", reason: null, isPayable: !isOver };
  if (isEnough(facts, received, least)) return { stage: "seen", reason: null, isPayable: false };
  return isOver
    ? { stage: "unresolved", reason: "partial", isPayable: false }
    : { stage: "partial", reason: null, isPayable: true };
}

/** A payment without a price has no value yet; then the amounts in the payment currency are compared. */
function isEnough(facts: StageFacts, received: Received, least: bigint): boolean {
  const value = received.target + received.targetPending;
  if (value === 0n) {
    const requested = facts.sourceAmountRequested;
    return requested !== null && received.source + received.sourcePending >= requested;
  }
  return isTolerated((facts.targetAmountRequested ?? 0n) - value, facts, least);
}
