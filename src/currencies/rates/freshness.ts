import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";

/** Seconds between two rounds over the sources. */
export const refreshSeconds = 30;

/** A price is called current for two rounds after it was fetched, then no longer. */
export function staleAt(fetchedAt: Instant): Instant {
  return addSeconds(fetchedAt, 2 * refreshSeconds);
}
