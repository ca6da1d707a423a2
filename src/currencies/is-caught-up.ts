import { type Instant, secondsBetween } from "../platform/kernel/clock.ts";

/** Blocks are minutes apart at times, but the tip is asked for every few seconds: after so long without it something is wrong. */
const staleSeconds = 120;

/** So far the clocks of the deployment's machines may be apart. */
export const clockBoundSeconds = 10;

/**
 * Whether a payment on a chain would be seen soon: the chain was read up to its node's tip not long ago. `caughtUpAt` null: it never
 * was. A time further in the future than clocks may be apart says nothing: a clock was wrong.
 */
export function isCaughtUp(caughtUpAt: Instant | null, now: Instant): boolean {
  if (caughtUpAt === null) return false;
  const age = secondsBetween(caughtUpAt, now);
  return age >= -clockBoundSeconds && age < staleSeconds;
}
