import type { Instant } from "../../platform/kernel/clock.ts";
import type { Deposit } from "../deposit.ts";
import { type DepositStatus, depositStatus, type StatusReason } from "../deposit-status.ts";
import type { HoldReason, TransferRecord } from "../transfers/transfer.ts";
import type { PaymentPlace, StatusSnapshot } from "./tally.ts";
import { isTolerated, toleranceOf } from "./tolerance.ts";

/* The status of a deposit, replayed event by event. */

/** The members of a deposit that determine its status. */
export type StatusFacts = Pick<
  Deposit,
  | "walletType"
  | "targetAmountRequested"
  | "inaccuracy"
  | "toleranceBelow"
  | "toleranceAbove"
  | "expiresAt"
  | "cancelledAt"
  | "expiryConcludedAt"
  | "acceptedAt"
>;

/** The members of a payment that determine the status. `isConfirmed`: it has the confirmations required for Confirmed. */
export type Payment = Pick<
  TransferRecord,
  "id" | "targetUnits" | "firstSeenAt" | "isConfirmed" | "confirmedAt"
> & {
  /** Allowed excess over the request because the payment currency has no smaller unit, in units of the wallet's currency. */
  readonly coarseness: bigint;
  /** A smaller shortfall counts as paid, in units of the wallet's currency (`leastPayableOf`). */
  readonly least: bigint;
  /** When its refund was undone, which puts the payment on hold again; null if never. */
  readonly refundUndoneAt: Instant | null;
};

export type StatusDecision = {
  readonly status: DepositStatus;
  readonly reason: StatusReason | null;
  /** Payments on hold, and why. */
  readonly holds: ReadonlyMap<string, HoldReason>;
  /** Payments that may be credited as soon as they are settled. */
  readonly creditable: ReadonlySet<string>;
  /** Where `continueStatus` resumes; null when the status does not depend on earlier payments. */
  readonly standing: StatusSnapshot | null;
};

/**
 * The state during a replay. A late payment is on hold by itself: `status` is the status without it, so that a payment on time is
 * decided as if no late one had arrived, however late it confirms.
 */
export type StatusReplay = {
  status: DepositStatus;
  reason: StatusReason | null;
  /** Confirmed payments that count towards the requested amount while it is not reached. */
  counted: string[];
  countedUnits: bigint;
  /** Payments that may be credited: those of a deposit that became Paid, or that requests no amount. */
  readonly settled: Set<string>;
  readonly holds: Map<string, HoldReason>;
  /**
   * Payments seen before the user accepted. They stay accepted even if they are confirmed (or, after a reorg, confirmed again)
   * later. A payment whose refund was undone after that is on hold again.
   */
  readonly seenByAccepter: ReadonlySet<string>;
  isAccepted: boolean;
};

/** The decision at the end of a replay. */
export function concludeReplay(replay: StatusReplay, standing: StatusSnapshot): StatusDecision {
  const isHeld = replay.holds.size > 0;
  return {
    status: isHeld ? depositStatus.unresolved : replay.status,
    reason: isHeld && replay.status !== depositStatus.unresolved ? "late" : replay.reason,
    holds: replay.holds,
    creditable: replay.settled,
    standing,
  };
}

/** The payment with its place if it is confirmed, else nothing. */
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

/** Orders payments by confirmation, then (within one block) by when they were first seen. */
export function comparePlaces(a: PaymentPlace, b: PaymentPlace): number {
  if (a.confirmedAt !== b.confirmedAt) return a.confirmedAt - b.confirmedAt;
  const between = a.firstSeenAt - b.firstSeenAt;
  return between === 0 ? Number(BigInt(a.id) - BigInt(b.id)) : between;
}

/** Whether the payment was first seen after the time limit. */
export function isLate(facts: StatusFacts, payment: Payment): boolean {
  return facts.expiresAt !== null && payment.firstSeenAt > facts.expiresAt;
}

/** Applies a confirmed payment. */
export function receive(replay: StatusReplay, facts: StatusFacts, payment: Payment): void {
  if (isLate(facts, payment)) {
    receiveLate(replay, payment);
    return;
  }
  switch (replay.status) {
    case depositStatus.created:
      count(replay, facts, payment);
      return;
    case depositStatus.paid:
      holdUnresolved(replay, [payment.id], "second_payment");
      return;
    case depositStatus.canceled:
      holdUnresolved(replay, [payment.id], "cancelled");
      return;
    case depositStatus.unresolved:
      hold(replay, payment.id, holdReasonOf(replay));
      return;
  }
}

/** An accepted payment that a reorg removed and restored makes the deposit Paid again. */
function receiveLate(replay: StatusReplay, { id }: Payment): void {
  const isWaiting =
    replay.status === depositStatus.created || replay.status === depositStatus.canceled;
  const wasAccepted = replay.isAccepted && replay.seenByAccepter.has(id);
  if (wasAccepted && isWaiting) holdUnresolved(replay, [id], "late");
  else hold(replay, id, "late");
}

/** Another payment to a deposit that is on hold is held for the same reason. */
function holdReasonOf({ reason }: StatusReplay): HoldReason {
  return reason === null || reason === "expired" || reason === "refunded" ? "late" : reason;
}

function count(replay: StatusReplay, facts: StatusFacts, payment: Payment): void {
  const requested = facts.targetAmountRequested;
  if (requested === null) {
    replay.settled.add(payment.id);
    return;
  }
  replay.counted.push(payment.id);
  replay.countedUnits += payment.targetUnits;
  const tolerance = toleranceOf(facts).above;
  const above = tolerance > payment.coarseness ? tolerance : payment.coarseness;
  if (replay.countedUnits > requested + above) {
    holdUnresolved(replay, replay.counted, "overpaid");
  } else if (isTolerated(requested - replay.countedUnits, facts, payment.least)) {
    for (const id of replay.counted) replay.settled.add(id);
    replay.counted = [];
    replay.status = depositStatus.paid;
  }
}

function hold(replay: StatusReplay, id: string, reason: HoldReason): void {
  if (replay.isAccepted && replay.seenByAccepter.has(id)) replay.settled.add(id);
  else replay.holds.set(id, reason);
}

/** Puts these payments and the counted ones on hold, unless all of them are already accepted. */
function holdUnresolved(replay: StatusReplay, ids: readonly string[], reason: HoldReason): void {
  const waiting = new Set([...replay.counted, ...ids]);
  for (const id of waiting) hold(replay, id, reason);
  replay.counted = [];
  const isDecided = [...waiting].every((id) => replay.settled.has(id));
  replay.status = isDecided ? depositStatus.paid : depositStatus.unresolved;
  replay.reason = isDecided ? null : reason;
}

/** Applies a cancellation. With payments booked or pending, the deposit goes on hold instead. */
export function cancel(replay: StatusReplay, at: Instant, payments: readonly Payment[]): void {
  const isOpen = replay.status === depositStatus.created || replay.status === depositStatus.paid;
  if (!isOpen || replay.holds.size > 0) return;
  if (payments.some((payment) => payment.firstSeenAt <= at)) {
    for (const id of replay.counted) hold(replay, id, "cancelled");
    replay.counted = [];
    replay.status = depositStatus.unresolved;
    replay.reason = "cancelled";
  } else {
    replay.status = depositStatus.canceled;
    replay.reason = "cancelled";
  }
}

/**
 * Applies a user's acceptance of the funds on hold. `acceptedOthers`: payments that were there at that time are refunded now and
 * missing from the replay. The deposit was on hold because of them, and what was accepted beside them stays accepted.
 */
export function accept(replay: StatusReplay, acceptedOthers: boolean): void {
  replay.isAccepted = true;
  const wasOnHold = replay.status === depositStatus.unresolved || replay.holds.size > 0;
  if (!wasOnHold && !(acceptedOthers && replay.counted.length > 0)) return;
  const waiting = [...replay.counted, ...replay.holds.keys()];
  const accepted = waiting.filter((id) => replay.seenByAccepter.has(id));
  if (accepted.length === 0 && waiting.length > 0) return;
  for (const id of replay.counted) replay.holds.set(id, "second_payment");
  for (const id of accepted) {
    replay.settled.add(id);
    replay.holds.delete(id);
  }
  replay.counted = [];
  replay.status = depositStatus.paid;
  replay.reason = null;
}

/** Applies a refund: a deposit without other payments on time becomes Canceled. */
export function refund(
  replay: StatusReplay,
  facts: StatusFacts,
  at: Instant,
  payments: readonly Payment[],
): void {
  const hasOther = payments.some((payment) => payment.firstSeenAt <= at && !isLate(facts, payment));
  const isEnded =
    replay.status === depositStatus.canceled ||
    (replay.status === depositStatus.created && !hasOther);
  if (!isEnded) return;
  replay.status = depositStatus.canceled;
  replay.reason = "refunded";
}

/** Applies an expired time limit. Late payments do not keep a deposit open. */
export function expire(
  replay: StatusReplay,
  facts: StatusFacts,
  { inTime, inTimePending }: Pick<StatusSnapshot, "inTime" | "inTimePending">,
): void {
  if (replay.status !== depositStatus.created) return;
  if (facts.expiryConcludedAt === null && replay.holds.size === 0) return;
  if (inTime === 0) {
    replay.status = depositStatus.canceled;
    replay.reason = "expired";
    return;
  }
  if (inTimePending > 0 || facts.targetAmountRequested === null) return;
  holdUnresolved(replay, [], "partial");
}
