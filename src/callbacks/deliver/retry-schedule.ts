import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import type { Random } from "../../platform/kernel/random.ts";
import { parseTimestamp } from "../../platform/kernel/timestamp.ts";

export type RetrySettings = {
  /** Seconds to wait after the first, second, ... failed attempt; after one more than these it is over. */
  readonly retryDelaysSeconds: readonly number[];
  /** Share by which a delay may come out shorter or longer, so that what failed together does not return together. */
  readonly retryJitter: number;
};

/** 5 s, 1 m, 5 m, 30 m, 2 h, 5 h, 10 h, 24 h: nine attempts over some 41.6 hours. */
export const defaultRetrySettings: RetrySettings = {
  retryDelaysSeconds: [5, 60, 300, 1800, 7200, 18_000, 36_000, 86_400],
  retryJitter: 0.2,
};

/**
 * When to try again after the `failedAttempts`-th attempt (from 1) of a schedule failed; null when it was the last one.
 * A `Retry-After` makes the delay longer, to at most twice the schedule's own, never shorter.
 */
export function nextAttemptAt(
  failedAttempts: number,
  retryAfterSeconds: number | null,
  now: Instant,
  random: Random,
  settings: RetrySettings,
): Instant | null {
  const delay = settings.retryDelaysSeconds[failedAttempts - 1];
  if (delay === undefined) return null;
  const jittered = delay * (1 + settings.retryJitter * (2 * random.fraction() - 1));
  const asked = Math.min(retryAfterSeconds ?? 0, 2 * delay);
  return addSeconds(now, Math.max(jittered, asked));
}

const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const httpDate = /^\w{3}, (\d{2}) (\w{3}) (\d{4}) (\d{2}:\d{2}:\d{2}) GMT$/;

/** Reads `Retry-After` (RFC 9110, 10.2.3: seconds or an IMF-fixdate) as seconds from `now`; null for anything else. */
export function parseRetryAfter(text: string, now: Instant): number | null {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const match = httpDate.exec(text);
  if (match === null) return null;
  const [, day = "", month = "", year = "", time = ""] = match;
  const monthNumber = String(months.indexOf(month) + 1).padStart(2, "0");
  const at = parseTimestamp(`${year}-${monthNumber}-${day}T${time}Z`);
  return at === null ? null : Math.max(0, (at - now) / 1_000_000);
}
