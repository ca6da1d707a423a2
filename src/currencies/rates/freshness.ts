import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";

/** Seconds between two refreshes of all sources. */
export const refreshSeconds = 30;

/** A price is current for two refreshes after it was fetched. */
export function staleAt(fetchedAt: Instant): Instant {
  return addSeconds(fetchedAt, 2 * refreshSeconds);
}
