import { type Instant, secondsBetween } from "../../platform/kernel/clock.ts";
import type { Payout } from "../payout.ts";

export type SendSettings = {
  /**
   * Maximum payouts per transaction, on chains whose transactions can pay several receivers. Null: as many as the chain takes where an account
   * pays, and `coinBatchMax` elsewhere.
   */
  readonly batchMax: number | null;
  /** How long payouts are collected for one transaction, unless it is full earlier. */
  readonly gatherSeconds: number;
  /** Maximum unconfirmed transactions per paying account. Null: what the chain's writer says, or else `accountInFlightMax`. */
  readonly inFlightMax: number | null;
  /** Payouts considered at once: the oldest in every pass, and some of the others in turn if none of the oldest can be paid. */
  readonly examineMax: number;
  /** Whether paying accounts may be set up to pay several receivers in one transaction, where that takes a transaction of theirs. */
  readonly setsUpBatching: boolean;
};

/** Most payouts of a transaction of coins, unless the configuration says otherwise. */
export const coinBatchMax = 20;

/** Nodes of EVM chains keep at least so many transactions of an account. */
export const accountInFlightMax = 64;

/** Also the defaults of the configuration (`payouts.batch_max`, `payouts.in_flight_max`). */
export const defaultSendSettings: SendSettings = {
  batchMax: null,
  gatherSeconds: 1,
  inFlightMax: null,
  examineMax: 500,
  setsUpBatching: true,
};

/** How many seconds payouts may wait for others to share a transaction with, by the id of their account; 0 if it is missing. */
export type BatchWaits = ReadonlyMap<string, number>;

/** Whether the payout has waited for others as long as its account allows, and at least `leastSeconds`. Pure. */
export function hasWaitedEnough(
  payout: Pick<Payout, "accountId" | "approvedAt" | "createdAt">,
  waits: BatchWaits,
  leastSeconds: number,
  now: Instant,
): boolean {
  const waited = secondsBetween(payout.approvedAt ?? payout.createdAt, now);
  // After the clock was set back, nobody knows.
  return waited < 0 || waited >= Math.max(leastSeconds, waits.get(payout.accountId) ?? 0);
}

/**
 * Groups payouts into transactions, in id order. Recent payouts wait for others unless a transaction is full or one
 * of its payouts has waited long enough. Pure.
 */
export function chooseGroups(
  held: readonly Payout[],
  max: number,
  alone: ReadonlySet<string>,
  { gatherSeconds, waits }: Pick<SendSettings, "gatherSeconds"> & { readonly waits: BatchWaits },
  now: Instant,
): readonly (readonly Payout[])[] {
  const single = held.filter(({ id }) => max === 1 || alone.has(id)).map((payout) => [payout]);
  const together = held.filter(({ id }) => max > 1 && !alone.has(id));
  const batches: Payout[][] = [];
  for (let from = 0; from < together.length; from += max) {
    const batch = together.slice(from, from + max);
    const isDue = batch.some((payout) => hasWaitedEnough(payout, waits, gatherSeconds, now));
    if (batch.length === max || isDue) batches.push(batch);
  }
  return [...single, ...batches].toSorted((a, b) => ageOf(a) - ageOf(b));
}

/** Splits a group that cannot be paid together into halves. Pure. */
export function splitGroup<Member>(group: readonly Member[]): readonly (readonly Member[])[] {
  const half = Math.ceil(group.length / 2);
  return [group.slice(0, half), group.slice(half)];
}

function ageOf([first]: readonly Payout[]): number {
  return Number(first?.id ?? 0);
}
