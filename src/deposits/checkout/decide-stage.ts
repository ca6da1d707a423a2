import type { Instant } from "../../platform/kernel/clock.ts";
import { type Deposit, depositStatus } from "../deposit.ts";
import type { Received } from "../payments/received.ts";
import type { CheckoutStage, UnresolvedReason } from "./checkout-state.ts";

export type StageFacts = Pick<
  Deposit,
  | "status"
  | "statusReason"
  | "currency"
  | "targetAmountRequested"
  | "sourceAmountRequested"
  | "inaccuracy"
  | "expiresAt"
>;

export type StageDecision = {
  readonly stage: CheckoutStage;
  readonly reason: UnresolvedReason | null;
  /** Whether money sent now is what is asked for. */
  readonly isPayable: boolean;
};

/** Where a payment stands for its payer. Pure: the deposit's status, what it received, and whether its time is over. */
export function decideStage(facts: StageFacts, received: Received, now: Instant): StageDecision {
  switch (facts.status) {
    case depositStatus.paid:
      return { stage: "paid", reason: null, isPayable: false };
    case depositStatus.canceled:
      return ended(facts.statusReason === "expired" ? "expired" : "cancelled");
    case depositStatus.unresolved:
      return { stage: "unresolved", reason: reasonOf(facts), isPayable: false };
    case depositStatus.created:
      return open(facts, received, now);
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

/** A deposit whose time is over stays Created until its chain was read so far; its payer is told at once. */
function open(facts: StageFacts, received: Received, now: Instant): StageDecision {
  const isOver = facts.expiresAt !== null && facts.expiresAt <= now;
  const hasPending = received.sourcePending > 0n;
  const hasAny = hasPending || received.source > 0n;
  if (!hasAny && isOver) return ended("expired");
  if (facts.currency === null) return { stage: "choose", reason: null, isPayable: false };
  if (!hasAny) return { stage: "waiting", reason: null, isPayable: true };
  if (facts.targetAmountRequested === null)
    return { stage: hasPending ? "seen" : "paid", reason: null, isPayable: !isOver };
  if (isEnough(facts, received)) return { stage: "seen", reason: null, isPayable: false };
  return isOver
    ? { stage: "unresolved", reason: "partial", isPayable: false }
    : { stage: "partial", reason: null, isPayable: true };
}

/** A payment without a price is worth nothing yet; then what was sent is compared with what was asked for. */
function isEnough(facts: StageFacts, received: Received): boolean {
  const worth = received.target + received.targetPending;
  if (worth === 0n) {
    const asked = facts.sourceAmountRequested;
    return asked !== null && received.source + received.sourcePending >= asked;
  }
  return worth >= (facts.targetAmountRequested ?? 0n) - (facts.inaccuracy ?? 0n);
}
