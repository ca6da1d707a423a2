import { type Instant, secondsBetween } from "../platform/kernel/clock.ts";

/** Blocks can be minutes apart, but the tip is requested every few seconds: after this long without it something is wrong. */
const staleSeconds = 120;
/** The largest clock skew at which processes work (`database.clock_skew_max_ms`). */
const skewMaxSeconds = 5;

/** Whether a payment on a chain would be seen soon: the chain was recently read up to its node's tip. `caughtUpAt` null if never. */
export function isCaughtUp(caughtUpAt: Instant | null, now: Instant): boolean {
  return caughtUpAt !== null && isRecent(caughtUpAt, now, staleSeconds);
}

/** Whether `at` lies less than `seconds` in the past. A time from the future, written before a clock was set back, does not. */
export function isRecent(at: Instant, now: Instant, seconds: number): boolean {
  const age = secondsBetween(at, now);
  return age >= -skewMaxSeconds && age < seconds;
}
