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

type DepositEvent =
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
  if (facts.walletType !== walletType.merchant) return decideOpenEnded(payments);
  const replay = newReplay(facts, payments);
  for (const event of eventsInOrder(facts, payments, refunds)) {
    switch (event.kind) {
      case "payment":
        receive(replay, facts, event.payment);
        break;
      case "cancel":
        cancel(replay, event.at, payments);
        break;
      case "accept":
        accept(replay, acceptedOthers);
        break;
      case "refund":
        refund(replay, facts, event.at, payments);
        break;
    }
  }
  const inTime = payments.filter((payment) => !isLate(facts, payment));
  const standing: StatusSnapshot = {
    status: replay.status,
    reason: replay.reason,
    counted: replay.counted.length,
    countedUnits: replay.countedUnits,
    held: replay.holds.size,
    inTime: inTime.length,
    inTimePending: inTime.filter((payment) => !payment.isConfirmed).length,
    last: payments.reduce<PaymentPlace | null>(laterPlace, null),
    decidedAt: latest([facts.cancelledAt, facts.acceptedAt, ...refunds]),
  };
  expire(replay, facts, standing);
  return concludeReplay(replay, standing);
}

function latest(instants: readonly (Instant | null)[]): Instant | null {
  return instants.reduce(
    (last, at) => (at === null || (last !== null && last > at) ? last : at),
    null,
  );
}

/** Deposits outside Merchant wallets stay Created and credit every payment. */
function decideOpenEnded(payments: readonly Payment[]): StatusDecision {
  return {
    status: depositStatus.created,
    reason: null,
    holds: new Map(),
    creditable: new Set(payments.map((payment) => payment.id)),
    standing: null,
  };
}

function newReplay({ acceptedAt }: StatusFacts, payments: readonly Payment[]): StatusReplay {
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

function eventsInOrder(
  facts: StatusFacts,
  payments: readonly Payment[],
  refunds: readonly Instant[],
): DepositEvent[] {
  const events: DepositEvent[] = refunds.map((at) => ({ kind: "refund", at }));
  for (const payment of payments) {
    if (payment.isConfirmed && payment.confirmedAt !== null) {
      events.push({ kind: "payment", at: payment.confirmedAt, payment });
    }
  }
  if (facts.cancelledAt !== null) events.push({ kind: "cancel", at: facts.cancelledAt });
  if (facts.acceptedAt !== null) events.push({ kind: "accept", at: facts.acceptedAt });
  return events.sort((a, b) => (a.at === b.at ? compareSimultaneous(a, b) : a.at - b.at));
}

/** A user's action comes after the payments confirmed at the same instant. */
function compareSimultaneous(a: DepositEvent, b: DepositEvent): number {
  if (a.kind !== "payment" || b.kind !== "payment") {
    return Number(a.kind !== "payment") - Number(b.kind !== "payment");
  }
  return comparePlaces({ ...a.payment, confirmedAt: a.at }, { ...b.payment, confirmedAt: b.at });
}
