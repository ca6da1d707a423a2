import type { Notice } from "../../notifications/notice.ts";
import { recordNotices } from "../../notifications/record-notices.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import {
  type ClaimedCallback,
  type Claiming,
  type CompletedAttempt,
  releaseCallbacks,
} from "./dispatch.store.ts";
import {
  type BreakerSettings,
  breakerAfter,
  closedBreaker,
  type HostBreaker,
} from "./host-breaker.ts";
import {
  type HostKey,
  readBreakersForUpdate,
  takeHostProbes,
  writeBreakers,
} from "./host-breakers.store.ts";

/**
 * Claims one callback for each half-open receiver together with its probe, so that only one dispatcher sends one callback. A
 * receiver whose callbacks all wait for older ones of their objects keeps its probe.
 */
export async function claimProbes(
  db: Database,
  { claimDue }: Claiming,
  hosts: readonly HostKey[],
  now: Instant,
  until: Instant,
): Promise<readonly ClaimedCallback[]> {
  if (hosts.length === 0) return [];
  return db.transaction(async (tx) => {
    const lanes = hosts.map(({ accountId, host }) => ({ accountId, host, size: 1 }));
    const callbacks = await claimDue(tx, lanes, now, until);
    if (callbacks.length === 0) return [];
    const taken = await takeHostProbes(tx, callbacks, now, until);
    const isTaken = (callback: ClaimedCallback): boolean =>
      taken.some((probe) => probe.accountId === callback.accountId && probe.host === callback.host);
    const lost = callbacks.filter((callback) => !isTaken(callback));
    if (lost.length > 0) await releaseCallbacks(tx, lost);
    return callbacks.filter(isTaken);
  });
}

export type AttemptRecord = {
  readonly attempt: CompletedAttempt;
  readonly isProbe: boolean;
  /** The receiver's breaker counts failures that a success must reset. */
  readonly hasFailures: boolean;
};

/**
 * Updates the receivers' breakers after a batch of attempts and returns those it wrote. Healthy receivers without
 * earlier failures cause no writes.
 */
export async function updateBreakers(
  db: Database,
  records: readonly AttemptRecord[],
  now: Instant,
  settings: BreakerSettings,
): Promise<readonly (HostKey & HostBreaker)[]> {
  const relevant = records.filter(
    (record) => record.hasFailures || record.isProbe || record.attempt.status !== "delivered",
  );
  if (relevant.length === 0) return [];
  const hosts = new Map(relevant.map((record) => [keyOf(record.attempt.callback), record]));
  return db.transaction(async (tx) => {
    const keys = [...hosts.values()].map((record) => record.attempt.callback);
    const before = await readBreakersForUpdate(tx, keys);
    const breakers = new Map<string, HostBreaker>(before.map((row) => [keyOf(row), row]));
    for (const record of relevant) {
      const key = keyOf(record.attempt.callback);
      const outcome = {
        delivered: record.attempt.status === "delivered",
        isProbe: record.isProbe,
      };
      breakers.set(key, breakerAfter(breakers.get(key) ?? closedBreaker, outcome, now, settings));
    }
    const after = keys
      .map(({ accountId, host }) => ({
        ...(breakers.get(keyOf({ accountId, host })) ?? closedBreaker),
        accountId,
        host,
      }))
      .sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
    await writeBreakers(tx, after, now);
    await recordNotices(tx, failingNotices(before, after, hosts), now);
    return after;
  });
}

/** After so many failures in a row it is no slip; a schedule reaches it within about a minute. */
const failuresToTell = 3;

/** Members are notified once when a receiver's failures reach the bound. */
function failingNotices(
  before: readonly (HostKey & HostBreaker)[],
  after: readonly (HostKey & HostBreaker)[],
  records: ReadonlyMap<string, AttemptRecord>,
): readonly Notice[] {
  const failures = new Map(before.map((row) => [keyOf(row), row.consecutiveFailures]));
  return after
    .filter(
      (row) =>
        row.consecutiveFailures >= failuresToTell &&
        (failures.get(keyOf(row)) ?? 0) < failuresToTell,
    )
    .map(({ accountId, host }) => {
      const attempt = records.get(keyOf({ accountId, host }))?.attempt;
      const answer =
        attempt === undefined
          ? {}
          : { answer: { statusCode: attempt.statusCode, error: attempt.error } };
      return {
        audience: { accountId, members: "all_wallets" },
        event: { kind: "webhook_failing", host, ...answer },
        paidDepositId: null,
      };
    });
}

function keyOf(host: HostKey): string {
  return `${host.accountId} ${host.host}`;
}
