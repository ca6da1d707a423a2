import { walletType } from "../../accounts/wallets/wallet.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { depositStatus } from "../deposit-status.ts";
import {
  accept,
  cancel,
  comparePlaces,
  concludeReplay,
  expire,
  isLate,
  laterPlace,
  type Payment,
  receive,
  refund,
  type StatusDecision,
  type StatusFacts,
  type StatusReplay,
} from "./status-replay.ts";
import type { PaymentPlace, StatusSnapshot } from "./tally.ts";

type Happening =
  | { readonly kind: "payment"; readonly at: Instant; readonly payment: Payment }
  | { readonly kind: "cancel"; readonly at: Instant }
  | { readonly kind: "accept"; readonly at: Instant }
  | { readonly kind: "refund"; readonly at: Instant };

/**
 * The status of a deposit as a function of its events, in order. It does not depend on the previous status, so a reorg that
 * removes a payment leads to the status that the deposit would have without it.
 * `payments`: all that count for the deposit, without dust, wrong assets, and canceled, blocked or refunded ones. A refunded
 * payment counts as if it had never arrived, with two exceptions: a deposit without other payments ends (`refunds` are the times
 * of the decisions), and payments that the user accepted together with it stay accepted (`acceptedOthers`).
 */
export function decideStatus(
  facts: StatusFacts,
  payments: readonly Payment[],
  refunds: readonly Instant[] = [],
  acceptedOthers = false,
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
        accept(story, acceptedOthers);
        break;
      case "refund":
        refund(story, facts, happening.at, payments);
        break;
    }
  }
  const inTime = payments.filter((payment) => !isLate(facts, payment));
  const standing: StatusSnapshot = {
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
  return concludeReplay(story, standing);
}

function latest(instants: readonly (Instant | null)[]): Instant | null {
  return instants.reduce(
    (last, at) => (at === null || (last !== null && last > at) ? last : at),
    null,
  );
}

/** Deposits outside Merchant wallets stay Created and credit every payment. */
function decideEndless(payments: readonly Payment[]): StatusDecision {
  return {
    status: depositStatus.created,
    reason: null,
    holds: new Map(),
    creditable: new Set(payments.map((payment) => payment.id)),
    standing: null,
  };
}

function newStory({ acceptedAt }: StatusFacts, payments: readonly Payment[]): StatusReplay {
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
