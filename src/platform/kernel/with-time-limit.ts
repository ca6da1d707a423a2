import type { Clock } from "./clock.ts";

/**
 * Asks something with a signal that aborts after `limitMs` of the clock, for a reason that says so. What is asked has to heed the
 * signal; its answer, or what it rejects with, is handed on as it is.
 */
export async function withTimeLimit<Answer>(
  clock: Clock,
  limitMs: number,
  ask: (expired: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const expired = new AbortController();
  const answered = new AbortController();
  void clock.sleep(limitMs, answered.signal).then(() => {
    expired.abort(new Error(`no answer within ${limitMs} ms`));
  });
  try {
    return await ask(expired.signal);
  } finally {
    answered.abort();
  }
}
