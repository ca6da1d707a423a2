import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import type { Random } from "../../platform/kernel/random.ts";
import { parseTimestamp } from "../../platform/kernel/timestamp.ts";
import type { ClaimedCallback, CompletedAttempt } from "./dispatch.store.ts";
import type { PostOutcome } from "./post-delivery.ts";

export type RetrySettings = {
  /** Seconds to wait after the first, second, ... failed attempt. The attempt after the last delay is the last one. */
  readonly retryDelaysSeconds: readonly number[];
  /** Fraction by which delays vary at random, so that callbacks that failed together are not retried together. */
  readonly retryJitter: number;
};

/** 5 s, 1 m, 5 m, 30 m, 2 h, 5 h, 10 h, 24 h: nine attempts over about 41.6 hours. */
export const defaultRetrySettings: RetrySettings = {
  retryDelaysSeconds: [5, 60, 300, 1800, 7200, 18_000, 36_000, 86_400],
  retryJitter: 0.2,
};

/**
 * The time of the next attempt after the `failedAttempts`-th one (counted from 1) failed; null if it was the last.
 * `Retry-After` can lengthen the delay to at most twice the scheduled one, never shorten it.
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
  const requested = Math.min(retryAfterSeconds ?? 0, 2 * delay);
  return addSeconds(now, Math.max(jittered, requested));
}

const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const httpDate = /^\w{3}, (\d{2}) (\w{3}) (\d{4}) (\d{2}:\d{2}:\d{2}) GMT$/;

/** Parses `Retry-After` (RFC 9110, 10.2.3: seconds or an IMF-fixdate) as seconds from `now`; null for anything else. */
export function parseRetryAfter(text: string, now: Instant): number | null {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const match = httpDate.exec(text);
  if (match === null) return null;
  const [, day = "", month = "", year = "", time = ""] = match;
  const monthNumber = String(months.indexOf(month) + 1).padStart(2, "0");
  const at = parseTimestamp(`${year}-${monthNumber}-${day}T${time}Z`);
  return at === null ? null : Math.max(0, (at - now) / 1_000_000);
}

/**
 * Decides a callback's next state after an attempt. Only HTTP 200 counts as delivered (the interface: "if the
 * server answers with another status, the service resends"), so 204, redirects and 410 are retried like a 500. After the last delay of the schedule it is exhausted.
 */
export function decideAttempt(
  callback: ClaimedCallback,
  outcome: PostOutcome,
  times: { readonly attemptedAt: Instant; readonly now: Instant },
  random: Random,
  settings: RetrySettings,
): Omit<CompletedAttempt, "signed"> {
  const attempt = {
    callback,
    attemptedAt: times.attemptedAt,
    durationMs: Math.round((times.now - times.attemptedAt) / 1000),
    statusCode: outcome.statusCode,
    error: outcome.error,
    answerHead: outcome.statusCode === null ? null : outcome.answerHead,
  };
  if (outcome.statusCode === 200) return { ...attempt, status: "delivered", dueAt: null };
  const failedAttempts = callback.attempts - callback.scheduleBase + 1;
  const retryAfter =
    outcome.retryAfter === null ? null : parseRetryAfter(outcome.retryAfter, times.now);
  const dueAt = nextAttemptAt(failedAttempts, retryAfter, times.now, random, settings);
  return { ...attempt, status: dueAt === null ? "exhausted" : "pending", dueAt };
}
