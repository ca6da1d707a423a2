import type { HoldReason } from "../transfers/transfer.ts";
import {
  comparePlaces,
  concludeReplay,
  expire,
  isLate,
  laterPlace,
  type Payment,
  placed,
  receive,
  type StatusDecision,
  type StatusFacts,
  type StatusReplay,
} from "./status-replay.ts";
import type { PaymentPlace, StatusSnapshot } from "./tally.ts";

/**
 * A payment before the change (null: it did not count), why it was on hold, and the payment after the change (null: it no longer
 * counts).
 */
export type PaymentChange = {
  readonly before: (Payment & { readonly hold: HoldReason | null }) | null;
  readonly now: Payment | null;
};

/**
 * The decision of `decideStatus` after payments changed, continued from the stored tally without reading any other payment;
 * `holds` and `creditable` name only changed payments. Null when that is impossible: a confirmed payment changed, a payment comes
 * before an applied one, counted ones may be accepted, or other payments are affected. Then the status has to be recomputed from all payments.
 */
export function continueStatus(
  facts: StatusFacts,
  standing: StatusSnapshot,
  changes: readonly PaymentChange[],
): StatusDecision | null {
  // What the user accepted is settled when the time limit expires; the tally does not tell which of the counted payments these are.
  if (facts.acceptedAt !== null && standing.counted > 0) return null;
  if (!changes.every((change) => isContinuation(standing, change))) return null;
  const confirmed = changes
    .flatMap(({ before, now }) => (now !== null && before?.isConfirmed !== true ? placed(now) : []))
    .sort(comparePlaces);
  const [first] = confirmed;
  if (first !== undefined && !comesAfter(standing, first)) return null;

  const replay = replayFrom(standing);
  for (const payment of confirmed) receive(replay, facts, payment);
  const added = (of: (payment: Payment) => boolean): number =>
    changes.reduce(
      (sum, { before, now }) =>
        sum + Number(now !== null && of(now)) - Number(before !== null && of(before)),
      0,
    );
  const next: StatusSnapshot = {
    status: replay.status,
    reason: replay.reason,
    counted: weigh(replay.counted, standing.counted, earlier.counted),
    countedUnits: replay.countedUnits,
    held: weigh([...replay.holds.keys()], standing.held, earlier.held),
    inTime: standing.inTime + added((payment) => !isLate(facts, payment)),
    inTimePending:
      standing.inTimePending + added((payment) => !isLate(facts, payment) && !payment.isConfirmed),
    last: confirmed.reduce(laterPlace, standing.last),
    decidedAt: standing.decidedAt,
  };
  const before = replayFrom(standing);
  expire(before, facts, standing);
  expire(replay, facts, next);
  if (treatmentOfCounted(replay) !== treatmentOfCounted(before)) return null;

  const decision = concludeReplay(replay, next);
  const holds = new Map(replay.holds);
  const creditable = new Set(replay.settled);
  for (const { before: known } of changes) {
    if (known?.isConfirmed !== true) continue;
    if (known.hold !== null) holds.set(known.id, known.hold);
    else if (standing.counted === 0) creditable.add(known.id);
  }
  for (const id of Object.values(earlier)) holds.delete(id);
  return { ...decision, holds, creditable };
}

/** Represents all earlier payments during a replay; no payment has this id. */
const earlier = { counted: "counted before", held: "held before" } as const;

function replayFrom({ status, reason, counted, countedUnits, held }: StatusSnapshot): StatusReplay {
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

/** The number of payments that these ids represent, where one of them may represent `count` earlier ones. */
function weigh(ids: readonly string[], count: number, standIn: string): number {
  return ids.includes(standIn) ? ids.length - 1 + count : ids.length;
}

function treatmentOfCounted({ settled, holds }: StatusReplay): string {
  return settled.has(earlier.counted) ? "settled" : (holds.get(earlier.counted) ?? "counted");
}

/** Whether it changes no user decision and no payment that was already applied. */
function isContinuation({ decidedAt }: StatusSnapshot, { before, now }: PaymentChange): boolean {
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

function comesAfter({ last, decidedAt }: StatusSnapshot, place: PaymentPlace): boolean {
  return (
    (last === null || comparePlaces(last, place) < 0) &&
    (decidedAt === null || decidedAt < place.confirmedAt)
  );
}
