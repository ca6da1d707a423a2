import type { Instant } from "../../platform/kernel/clock.ts";
import type { Random } from "../../platform/kernel/random.ts";
import type { ClaimedCallback, CompletedAttempt } from "./dispatch.store.ts";
import type { PostOutcome } from "./post-delivery.ts";
import { nextAttemptAt, parseRetryAfter, type RetrySettings } from "./retry-schedule.ts";

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
): CompletedAttempt {
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
