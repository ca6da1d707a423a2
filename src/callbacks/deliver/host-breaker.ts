import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";

/** Circuit breaker of one (account, host). `openUntil` is null when closed, in the future when open, in the past when half-open. */
export type HostBreaker = {
  readonly consecutiveFailures: number;
  /** Consecutive openings. */
  readonly openings: number;
  readonly openUntil: Instant | null;
  readonly failingSince: Instant | null;
};

export type BreakerSettings = {
  readonly failuresToOpen: number;
  readonly openSecondsMin: number;
  readonly openSecondsMax: number;
};

export const closedBreaker: HostBreaker = {
  consecutiveFailures: 0,
  openings: 0,
  openUntil: null,
  failingSince: null,
};

/**
 * The breaker after an attempt. Any success closes it. The `failuresToOpen`-th consecutive failure opens it; a failed probe
 * reopens it for twice as long, up to `openSecondsMax`. Failures of attempts that were in flight when it opened
 * only increase the count.
 */
export function breakerAfter(
  breaker: HostBreaker,
  attempt: { readonly delivered: boolean; readonly isProbe: boolean },
  now: Instant,
  settings: BreakerSettings,
): HostBreaker {
  if (attempt.delivered) return closedBreaker;
  const consecutiveFailures = breaker.consecutiveFailures + 1;
  const failed = {
    ...breaker,
    consecutiveFailures,
    failingSince: breaker.failingSince ?? now,
  };
  const opens =
    attempt.isProbe ||
    (breaker.openUntil === null && consecutiveFailures >= settings.failuresToOpen);
  if (!opens) return failed;
  const seconds = Math.min(
    settings.openSecondsMin * 2 ** Math.min(breaker.openings, 20),
    settings.openSecondsMax,
  );
  return { ...failed, openings: breaker.openings + 1, openUntil: addSeconds(now, seconds) };
}
