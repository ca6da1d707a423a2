import { present } from "./assert.ts";
import type { Instant } from "./clock.ts";
import { formatTimestamp, parseTimestamp } from "./timestamp.ts";

/** The start of the month that is `ahead` months after the month of `at`, in UTC. */
export function monthOf(at: Instant, ahead: number): Instant {
  const [year = 0, month = 0] = formatTimestamp(at).slice(0, 7).split("-").map(Number);
  const months = year * 12 + month - 1 + ahead;
  const text = `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, "0")}-01`;
  return present(parseTimestamp(text), `the month ${text}`);
}
