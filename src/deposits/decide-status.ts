import type { Instant } from "../kernel/clock.ts";
import type { HoldReason, TransferRecord } from "../transfers/transfer.ts";
import { walletType } from "../wallets/wallet.ts";
import {
  type Deposit,
  type DepositStatus,
  depositStatus,
  type PaymentPlace,
  type Standing,
  type StatusReason,
} from "./deposit.ts";

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
  readonly standing: Standing | null;
};

type Happening =
  | { readonly kind: "payment"; readonly at: Instant; readonly payment: Payment }
  | { readonly kind: "cancel"; readonly at: Instant }
  | { readonly kind: "accept"; readonly at: Instant }
  | { readonly kind: "refund"; readonly at: Instant };

/**
 * The status of a deposit as a function of everything that happened to it, told in order. Nothing is remembered from the
 * status before, so a re-org that takes a payment away leads to the status the deposit would have had without it.
 *
 * `payments` are all that count for the deposit: no dust, no other asset, nothing cancelled, blocked or paid back. What was paid
 * back is as if it had never come, but that it ends a deposit which has nothing else: `refunds` are when that was decided.
 */
export function decideStatus(
  facts: StatusFacts,
  payments: readonly Payment[],
  refunds: readonly Instant[] = [],
): StatusDecision {
  if (facts.walletType !== walletType.merchant) return decideEndless(payments);
  const story = newStory(facts, payments);
  for (const happening of inOrder(facts, payments, refunds)) {
    switch (happening.kind) {
      case "payment":
        receive(story, facts, happening.payment);
        break;
      case "cancel":
        cancel(story, happening.at, payments);
        break;
      case "accept":
        accept(story);
        break;
      case "refund":
        refund(story, facts, happening.at, payments);
        break;
    }
  }
  const inTime = payments.filter((payment) => !isLate(facts, payment));
  const standing: Standing = {
    status: story.status,
    reason: story.reason,
    counted: story.counted.length,
    countedUnits: story.countedUnits,
    held: story.holds.size,
    inTime: inTime.length,
    inTimePending: inTime.filter((payment) => !payment.isConfirmed).length,
    last: payments.reduce<PaymentPlace | null>(laterPlace, null),
    decidedAt: latest([facts.cancelledAt, facts.acceptedAt, ...refunds]),
  };
  expire(story, facts, standing);
  return concludeStory(story, standing);
}

function concludeStory(story: Story, standing: Standing): StatusDecision {
  const isHeld = story.holds.size > 0;
  return {
    status: isHeld ? depositStatus.unresolved : story.status,
    reason: isHeld && story.status !== depositStatus.unresolved ? "late" : story.reason,
    holds: story.holds,
    creditable: story.settled,
    standing,
  };
}

/** A payment as it was (null: it did not count), with why it waited for a decision, and as it is (null: it counts no more). */
export type PaymentChange = {
  readonly before: (Payment & { readonly hold: HoldReason | null }) | null;
  readonly now: Payment | null;
};

/**
 * The decision of `decideStatus` after payments changed, told on from where the story stood without looking at any other
 * payment; `holds` and `creditable` name only those that changed. Null where that cannot be: a confirmed payment changed, one
 * comes before what was told, or other payments count differently now. Then all has to be told anew.
 */
export function continueStatus(
  facts: StatusFacts,
  standing: Standing,
  changes: readonly PaymentChange[],
): StatusDecision | null {
  if (!changes.every((change) => isContinuation(standing, change))) return null;
  const confirmed = changes
    .flatMap(({ before, now }) => (now !== null && before?.isConfirmed !== true ? placed(now) : []))
    .sort(comparePlaces);
  const [first] = confirmed;
  if (first !== undefined && !comesAfter(standing, first)) return null;

  const story = storyFrom(standing);
  for (const payment of confirmed) receive(story, facts, payment);
  const added = (of: (payment: Payment) => boolean): number =>
    changes.reduce(
      (sum, { before, now }) =>
        sum + Number(now !== null && of(now)) - Number(before !== null && of(before)),
      0,
    );
  const next: Standing = {
    status: story.status,
    reason: story.reason,
    counted: weigh(story.counted, standing.counted, earlier.counted),
    countedUnits: story.countedUnits,
    held: weigh([...story.holds.keys()], standing.held, earlier.held),
    inTime: standing.inTime + added((payment) => !isLate(facts, payment)),
    inTimePending:
      standing.inTimePending + added((payment) => !isLate(facts, payment) && !payment.isConfirmed),
    last: confirmed.reduce(laterPlace, standing.last),
    decidedAt: standing.decidedAt,
  };
  const before = storyFrom(standing);
  expire(before, facts, standing);
  expire(story, facts, next);
  if (treatmentOfCounted(story) !== treatmentOfCounted(before)) return null;

  const decision = concludeStory(story, next);
  const holds = new Map(story.holds);
  const creditable = new Set(story.settled);
  for (const { before: known } of changes) {
    if (known?.isConfirmed !== true) continue;
    if (known.hold !== null) holds.set(known.id, known.hold);
    else if (standing.counted === 0) creditable.add(known.id);
  }
  for (const id of Object.values(earlier)) holds.delete(id);
  return { ...decision, holds, creditable };
}

/** Stand in a story for all payments that were told before; no payment has such an id. */
const earlier = { counted: "counted before", held: "held before" } as const;

function storyFrom({ status, reason, counted, countedUnits, held }: Standing): Story {
  return {
    status,
    reason,
    counted: counted === 0 ? [] : [earlier.counted],
    countedUnits,
    settled: new Set(),
    holds: new Map(held === 0 ? [] : [[earlier.held, "late"]]),
    seenByAccepter: new Set(),
    isAccepted: false,
  };
}

/** How many payments these ids mean, where one of them may stand for `count` earlier ones. */
function weigh(ids: readonly string[], count: number, standIn: string): number {
  return ids.includes(standIn) ? ids.length - 1 + count : ids.length;
}

function treatmentOfCounted({ settled, holds }: Story): string {
  return settled.has(earlier.counted) ? "settled" : (holds.get(earlier.counted) ?? "counted");
}

/** Nothing that a user decided about, and nothing that was told already, changes with it. */
function isContinuation({ decidedAt }: Standing, { before, now }: PaymentChange): boolean {
  if (before?.isConfirmed === true) {
    return (
      now?.isConfirmed === true &&
      now.confirmedAt === before.confirmedAt &&
      now.firstSeenAt === before.firstSeenAt &&
      now.targetUnits === before.targetUnits
    );
  }
  return (
    decidedAt === null ||
    [before, now].every((payment) => payment === null || payment.firstSeenAt > decidedAt)
  );
}

function comesAfter({ last, decidedAt }: Standing, place: PaymentPlace): boolean {
  return (
    (last === null || comparePlaces(last, place) < 0) &&
    (decidedAt === null || decidedAt < place.confirmedAt)
  );
}

function placed(payment: Payment): readonly (Payment & PaymentPlace)[] {
  const { confirmedAt, isConfirmed } = payment;
  return isConfirmed && confirmedAt !== null ? [{ ...payment, confirmedAt }] : [];
}

function laterPlace(last: PaymentPlace | null, payment: Payment): PaymentPlace | null {
  const [place] = placed(payment);
  if (place === undefined || (last !== null && comparePlaces(place, last) < 0)) return last;
  const { confirmedAt, firstSeenAt, id } = place;
  return { confirmedAt, firstSeenAt, id };
}

function latest(instants: readonly (Instant | null)[]): Instant | null {
  return instants.reduce(
    (last, at) => (at === null || (last !== null && last > at) ? last : at),
    null,
  );
}

/** Deposits outside Merchant wallets stay Created and credit whatever comes. */
function decideEndless(payments: readonly Payment[]): StatusDecision {
  return {
    status: depositStatus.created,
    reason: null,
    holds: new Map(),
    creditable: new Set(payments.map((payment) => payment.id)),
    standing: null,
  };
}

/**
 * A deposit while its story is told. A late payment waits for a decision by itself: `status` is what the deposit has
 * without it, so that a payment which was in time, however late it confirms, is judged as if no late one had come.
 */
type Story = {
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

function newStory({ acceptedAt }: StatusFacts, payments: readonly Payment[]): Story {
  const seen =
    acceptedAt === null
      ? []
      : payments.filter(
          ({ firstSeenAt, refundUndoneAt }) =>
            firstSeenAt <= acceptedAt && (refundUndoneAt === null || refundUndoneAt < acceptedAt),
        );
  return {
    status: depositStatus.created,
    reason: null,
    counted: [],
    countedUnits: 0n,
    settled: new Set(),
    holds: new Map(),
    seenByAccepter: new Set(seen.map((payment) => payment.id)),
    isAccepted: false,
  };
}

function inOrder(
  facts: StatusFacts,
  payments: readonly Payment[],
  refunds: readonly Instant[],
): Happening[] {
  const happenings: Happening[] = refunds.map((at) => ({ kind: "refund", at }));
  for (const payment of payments) {
    if (payment.isConfirmed && payment.confirmedAt !== null) {
      happenings.push({ kind: "payment", at: payment.confirmedAt, payment });
    }
  }
  if (facts.cancelledAt !== null) happenings.push({ kind: "cancel", at: facts.cancelledAt });
  if (facts.acceptedAt !== null) happenings.push({ kind: "accept", at: facts.acceptedAt });
  return happenings.sort((one, other) =>
    one.at === other.at ? compareAtOnce(one, other) : one.at - other.at,
  );
}

/** A user's action comes after the payments confirmed at the same instant. */
function compareAtOnce(one: Happening, other: Happening): number {
  if (one.kind !== "payment" || other.kind !== "payment") {
    return Number(one.kind !== "payment") - Number(other.kind !== "payment");
  }
  return comparePlaces(
    { ...one.payment, confirmedAt: one.at },
    { ...other.payment, confirmedAt: other.at },
  );
}

/** Payments confirmed by one block come in the order in which they were seen. */
function comparePlaces(one: PaymentPlace, other: PaymentPlace): number {
  if (one.confirmedAt !== other.confirmedAt) return one.confirmedAt - other.confirmedAt;
  const between = one.firstSeenAt - other.firstSeenAt;
  return between === 0 ? Number(BigInt(one.id) - BigInt(other.id)) : between;
}

function isLate(facts: StatusFacts, payment: Payment): boolean {
  return facts.expiresAt !== null && payment.firstSeenAt > facts.expiresAt;
}

function receive(story: Story, facts: StatusFacts, payment: Payment): void {
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
function receiveLate(story: Story, { id }: Payment): void {
  const isWaiting =
    story.status === depositStatus.created || story.status === depositStatus.canceled;
  const wasAccepted = story.isAccepted && story.seenByAccepter.has(id);
  if (wasAccepted && isWaiting) holdUnresolved(story, [id], "late");
  else hold(story, id, "late");
}

/** More money for a deposit that waits for a decision already waits for the same one. */
function holdReasonOf({ reason }: Story): HoldReason {
  return reason === null || reason === "expired" || reason === "refunded" ? "late" : reason;
}

function count(story: Story, facts: StatusFacts, payment: Payment): void {
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

function hold(story: Story, id: string, reason: HoldReason): void {
  if (story.isAccepted && story.seenByAccepter.has(id)) story.settled.add(id);
  else story.holds.set(id, reason);
}

/** These payments, and what was counted before, wait for a decision; unless it was made about all of them already. */
function holdUnresolved(story: Story, ids: readonly string[], reason: HoldReason): void {
  const waiting = new Set([...story.counted, ...ids]);
  for (const id of waiting) hold(story, id, reason);
  story.counted = [];
  const isDecided = [...waiting].every((id) => story.settled.has(id));
  story.status = isDecided ? depositStatus.paid : depositStatus.unresolved;
  story.reason = isDecided ? null : reason;
}

/** With money booked, also when it is still pending, a cancelled deposit waits for a decision instead. */
function cancel(story: Story, at: Instant, payments: readonly Payment[]): void {
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

function accept(story: Story): void {
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
function refund(story: Story, facts: StatusFacts, at: Instant, payments: readonly Payment[]): void {
  const hasOther = payments.some((payment) => payment.firstSeenAt <= at && !isLate(facts, payment));
  const isEnded =
    story.status === depositStatus.canceled ||
    (story.status === depositStatus.created && !hasOther);
  if (!isEnded) return;
  story.status = depositStatus.canceled;
  story.reason = "refunded";
}

/** Payments that came too late keep no deposit from ending; confirmed, they show that its time is over. */
function expire(
  story: Story,
  facts: StatusFacts,
  { inTime, inTimePending }: Pick<Standing, "inTime" | "inTimePending">,
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
