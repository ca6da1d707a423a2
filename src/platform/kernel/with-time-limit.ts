import type { Clock } from "./clock.ts";

/** Calls `ask` with a signal that aborts after `limitMs`, and passes on its result or error. `ask` must react to the signal. */
export async function withTimeLimit<Answer>(
  clock: Clock,
  limitMs: number,
  run: (expired: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const expired = new AbortController();
  const answered = new AbortController();
  void clock.sleep(limitMs, answered.signal).then(() => {
    expired.abort(new Error(`no answer within ${limitMs} ms`));
  });
  try {
    return await run(expired.signal);
  } finally {
    answered.abort();
  }
}
