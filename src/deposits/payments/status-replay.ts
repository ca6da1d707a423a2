import type { Instant } from "../../platform/kernel/clock.ts";
import type { Deposit } from "../deposit.ts";
import { type DepositStatus, depositStatus, type StatusReason } from "../deposit-status.ts";
import type { HoldReason, TransferRecord } from "../transfers/transfer.ts";
import type { PaymentPlace, StatusSnapshot } from "./tally.ts";

/* A deposit's story: what happens to it changes it here, one happening at a time. */

/** What the status of a deposit follows from. */
export type StatusFacts = Pick<
  Deposit,
  | "walletType"
  | "targetAmountRequested"
  | "inaccuracy"
  | "expiresAt"
  | "cancelledAt"
  | "expiryConcludedAt"
  | "acceptedAt"
>;

/** What of a payment matters for it. `isConfirmed`: it reached the count at which it is Confirmed. */
export type Payment = Pick<
  TransferRecord,
  "id" | "targetUnits" | "firstSeenAt" | "isConfirmed" | "confirmedAt"
> & {
  /** How far above the request it may be worth because its currency has no smaller unit, units of the wallet's currency. */
  readonly coarseness: bigint;
  /** When its refund was undone, so that it waits for a decision again; null: it never was. */
  readonly refundUndoneAt: Instant | null;
};

export type StatusDecision = {
  readonly status: DepositStatus;
  readonly reason: StatusReason | null;
  /** Payments that wait for a decision, and why. */
  readonly holds: ReadonlyMap<string, HoldReason>;
  /** Payments that may be credited as soon as they are settled. */
  readonly creditable: ReadonlySet<string>;
  /** From where `continueStatus` goes on; null where nothing follows from earlier payments. */
  readonly standing: StatusSnapshot | null;
};

/**
 * A deposit while its story is told. A late payment waits for a decision by itself: `status` is what the deposit has
 * without it, so that a payment which was in time, however late it confirms, is judged as if no late one had come.
 */
export type StatusReplay = {
  status: DepositStatus;
  reason: StatusReason | null;
  /** Confirmed and counted towards the requested amount, which is not reached yet. */
  counted: string[];
  countedUnits: bigint;
  /** Free to be credited: counted in a deposit that became Paid, or in one that requests no amount. */
  readonly settled: Set<string>;
  readonly holds: Map<string, HoldReason>;
  /**
   * Payments that had been seen when the user accepted. They stay accepted, also where they are confirmed (or, after a
   * re-org, confirmed again) only afterwards. One whose refund was undone after that waits for another decision.
   */
  readonly seenByAccepter: ReadonlySet<string>;
  isAccepted: boolean;
};

/** What the story comes to. */
export function concludeReplay(story: StatusReplay, standing: StatusSnapshot): StatusDecision {
  const isHeld = story.holds.size > 0;
  return {
    status: isHeld ? depositStatus.unresolved : story.status,
    reason: isHeld && story.status !== depositStatus.unresolved ? "late" : story.reason,
    holds: story.holds,
    creditable: story.settled,
    standing,
  };
}

/** With its place where it is confirmed; else nothing. */
export function placed(payment: Payment): readonly (Payment & PaymentPlace)[] {
  const { confirmedAt, isConfirmed } = payment;
  return isConfirmed && confirmedAt !== null ? [{ ...payment, confirmedAt }] : [];
}

/** The later of two places, one of them a payment's. */
export function laterPlace(last: PaymentPlace | null, payment: Payment): PaymentPlace | null {
  const [place] = placed(payment);
  if (place === undefined || (last !== null && comparePlaces(place, last) < 0)) return last;
  const { confirmedAt, firstSeenAt, id } = place;
  return { confirmedAt, firstSeenAt, id };
}

/** Payments confirmed by one block come in the order in which they were seen. */
export function comparePlaces(one: PaymentPlace, other: PaymentPlace): number {
  if (one.confirmedAt !== other.confirmedAt) return one.confirmedAt - other.confirmedAt;
  const between = one.firstSeenAt - other.firstSeenAt;
  return between === 0 ? Number(BigInt(one.id) - BigInt(other.id)) : between;
}

/** First seen after the time limit. */
export function isLate(facts: StatusFacts, payment: Payment): boolean {
  return facts.expiresAt !== null && payment.firstSeenAt > facts.expiresAt;
}

/** A payment is confirmed. */
export function receive(story: StatusReplay, facts: StatusFacts, payment: Payment): void {
  if (isLate(facts, payment)) {
    receiveLate(story, payment);
    return;
  }
  switch (story.status) {
    case depositStatus.created:
      count(story, facts, payment);
      return;
    case depositStatus.paid:
      holdUnresolved(story, [payment.id], "second_payment");
      return;
    case depositStatus.canceled:
      holdUnresolved(story, [payment.id], "cancelled");
      return;
    case depositStatus.unresolved:
      hold(story, payment.id, holdReasonOf(story));
      return;
  }
}

/** One that was accepted, and lost its block afterwards, makes the deposit Paid again as the user had decided. */
function receiveLate(story: StatusReplay, { id }: Payment): void {
  const isWaiting =
    story.status === depositStatus.created || story.status === depositStatus.canceled;
  const wasAccepted = story.isAccepted && story.seenByAccepter.has(id);
  if (wasAccepted && isWaiting) holdUnresolved(story, [id], "late");
  else hold(story, id, "late");
}

/** More money for a deposit that waits for a decision already waits for the same one. */
function holdReasonOf({ reason }: StatusReplay): HoldReason {
  return reason === null || reason === "expired" || reason === "refunded" ? "late" : reason;
}

function count(story: StatusReplay, facts: StatusFacts, payment: Payment): void {
  const requested = facts.targetAmountRequested;
  if (requested === null) {
    story.settled.add(payment.id);
    return;
  }
  story.counted.push(payment.id);
  story.countedUnits += payment.targetUnits;
  const tolerance = facts.inaccuracy ?? 0n;
  const above = tolerance > payment.coarseness ? tolerance : payment.coarseness;
  if (story.countedUnits > requested + above) {
    holdUnresolved(story, story.counted, "overpaid");
  } else if (story.countedUnits >= requested - tolerance) {
    for (const id of story.counted) story.settled.add(id);
    story.counted = [];
    story.status = depositStatus.paid;
  }
}

function hold(story: StatusReplay, id: string, reason: HoldReason): void {
  if (story.isAccepted && story.seenByAccepter.has(id)) story.settled.add(id);
  else story.holds.set(id, reason);
}

/** These payments, and what was counted before, wait for a decision; unless it was made about all of them already. */
function holdUnresolved(story: StatusReplay, ids: readonly string[], reason: HoldReason): void {
  const waiting = new Set([...story.counted, ...ids]);
  for (const id of waiting) hold(story, id, reason);
  story.counted = [];
  const isDecided = [...waiting].every((id) => story.settled.has(id));
  story.status = isDecided ? depositStatus.paid : depositStatus.unresolved;
  story.reason = isDecided ? null : reason;
}

/** With money booked, also when it is still pending, a cancelled deposit waits for a decision instead. */
export function cancel(story: StatusReplay, at: Instant, payments: readonly Payment[]): void {
  const isOpen = story.status === depositStatus.created || story.status === depositStatus.paid;
  if (!isOpen || story.holds.size > 0) return;
  if (payments.some((payment) => payment.firstSeenAt <= at)) {
    for (const id of story.counted) hold(story, id, "cancelled");
    story.counted = [];
    story.status = depositStatus.unresolved;
    story.reason = "cancelled";
  } else {
    story.status = depositStatus.canceled;
    story.reason = "cancelled";
  }
}

/** A user accepts what waits. */
export function accept(story: StatusReplay): void {
  story.isAccepted = true;
  if (story.status !== depositStatus.unresolved && story.holds.size === 0) return;
  const waiting = [...story.counted, ...story.holds.keys()];
  const accepted = waiting.filter((id) => story.seenByAccepter.has(id));
  if (accepted.length === 0 && waiting.length > 0) return;
  for (const id of story.counted) story.holds.set(id, "second_payment");
  for (const id of accepted) {
    story.settled.add(id);
    story.holds.delete(id);
  }
  story.counted = [];
  story.status = depositStatus.paid;
  story.reason = null;
}

/** Money that is not paid back keeps the deposit going: in time it still counts, accepted or reached it stays Paid. */
export function refund(
  story: StatusReplay,
  facts: StatusFacts,
  at: Instant,
  payments: readonly Payment[],
): void {
  const hasOther = payments.some((payment) => payment.firstSeenAt <= at && !isLate(facts, payment));
  const isEnded =
    story.status === depositStatus.canceled ||
    (story.status === depositStatus.created && !hasOther);
  if (!isEnded) return;
  story.status = depositStatus.canceled;
  story.reason = "refunded";
}

/** Payments that came too late keep no deposit from ending; confirmed, they show that its time is over. */
export function expire(
  story: StatusReplay,
  facts: StatusFacts,
  { inTime, inTimePending }: Pick<StatusSnapshot, "inTime" | "inTimePending">,
): void {
  if (story.status !== depositStatus.created) return;
  if (facts.expiryConcludedAt === null && story.holds.size === 0) return;
  if (inTime === 0) {
    story.status = depositStatus.canceled;
    story.reason = "expired";
    return;
  }
  if (inTimePending > 0 || facts.targetAmountRequested === null) return;
  holdUnresolved(story, [], "partial");
}
