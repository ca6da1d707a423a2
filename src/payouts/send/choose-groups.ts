import { type Instant, secondsBetween } from "../../platform/kernel/clock.ts";
import type { Payout } from "../payout.ts";

export type SendSettings = {
  /** Most payouts of one transaction, on chains whose transactions can make several. */
  readonly batchMax: number;
  /** So long payouts are gathered before one transaction pays them, unless there are enough for a full one. */
  readonly gatherSeconds: number;
  /** Most transactions of one paying account that wait for a block. */
  readonly inFlightMax: number;
  /** Payouts looked at together: the oldest in every pass, and, where none of those can be paid, some of the others in turn. */
  readonly lookMax: number;
};

/** The defaults of the configuration (`payouts.batch_max`, `payouts.in_flight_max`), which no other place repeats. */
export const defaultSendSettings: SendSettings = {
  batchMax: 20,
  gatherSeconds: 1,
  inFlightMax: 64,
  lookMax: 500,
};

/**
 * Pure: which payouts are to be paid together, in the order of their ids. Those that are too young wait for others, unless a
 * whole transaction is full or one of theirs has waited long enough.
 */
export function chooseGroups(
  held: readonly Payout[],
  max: number,
  alone: ReadonlySet<string>,
  { gatherSeconds }: Pick<SendSettings, "gatherSeconds">,
  now: Instant,
): readonly (readonly Payout[])[] {
  const single = held.filter(({ id }) => max === 1 || alone.has(id)).map((payout) => [payout]);
  const together = held.filter(({ id }) => max > 1 && !alone.has(id));
  const batches: Payout[][] = [];
  for (let from = 0; from < together.length; from += max) {
    const batch = together.slice(from, from + max);
    const waited = Math.max(
      ...batch.map((payout) => secondsBetween(payout.approvedAt ?? payout.createdAt, now)),
    );
    if (batch.length === max || waited >= gatherSeconds || waited < 0) batches.push(batch);
  }
  return [...single, ...batches].toSorted((one, other) => ageOf(one) - ageOf(other));
}

/** Pure: two halves of a group that cannot be paid together. */
export function splitGroup(group: readonly Payout[]): readonly (readonly Payout[])[] {
  const half = Math.ceil(group.length / 2);
  return [group.slice(0, half), group.slice(half)];
}

function ageOf([first]: readonly Payout[]): number {
  return Number(first?.id ?? 0);
}
