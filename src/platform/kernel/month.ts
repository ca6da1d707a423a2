import { type Instant, instantFromSeconds } from "./clock.ts";
import { toDate } from "./timestamp.ts";

/** The start of the month that is `ahead` months after the month of `at`, in UTC. */
export function monthOf(at: Instant, ahead: number): Instant {
  const date = toDate(at);
  return instantFromSeconds(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + ahead) / 1_000);
}
