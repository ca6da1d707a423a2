import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";

/** Seconds between two rounds over the sources. */
export const refreshSeconds = 30;

/** A price is called current for two rounds after it was fetched, then no longer. */
export function staleAt(fetchedAt: Instant): Instant {
  return addSeconds(fetchedAt, 2 * refreshSeconds);
}

/** Clocks of two machines may differ by so much; what is dated further ahead was dated by a clock that is wrong. */
export const clockToleranceSeconds = 60;

/** Whether something dated so can be of now: a price from the future would stay current until then. */
export function isPast(at: Instant, now: Instant): boolean {
  return at <= addSeconds(now, clockToleranceSeconds);
}
