import { type Instant, secondsBetween } from "../kernel/clock.ts";

/** Blocks are minutes apart at times, but the tip is asked for every few seconds: after so long without it something is wrong. */
const staleSeconds = 120;

/**
 * Whether a payment on a chain would be seen soon: the chain was read up to its node's tip not long ago. `caughtUpAt` null: it never
 * was.
 */
export function isCaughtUp(caughtUpAt: Instant | null, now: Instant): boolean {
  return caughtUpAt !== null && secondsBetween(caughtUpAt, now) < staleSeconds;
}
