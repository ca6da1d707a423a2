import type { Clock } from "./clock.ts";

/** Without a reason, abort() creates an exception with a stack, which costs more than the rest of a time limit. */
const answeredInTime = new Error("answered in time");

/** Calls `run` with a signal that aborts after `limitMs`, and passes on its result or error. `run` must react to the signal. */
export async function withTimeLimit<Answer>(
  clock: Clock,
  limitMs: number,
  run: (expired: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const expired = new AbortController();
  const answered = new AbortController();
  void clock.sleep(limitMs, answered.signal).then(() => {
    if (!answered.signal.aborted) expired.abort(new Error(`no answer within ${limitMs} ms`));
  });
  try {
    return await run(expired.signal);
  } finally {
    answered.abort(answeredInTime);
  }
}
