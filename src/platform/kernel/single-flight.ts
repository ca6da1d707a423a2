import { addSeconds, type Clock, type Instant } from "./clock.ts";

/**
 * Shares one call of `ask` among concurrent callers and caches its result for `seconds`. `ask` never runs twice at the same
 * time. Failures are not cached. With `aheadSeconds`, a caller who comes in the last `aheadSeconds` of the cached answer gets it at
 * once and starts the next call, so that callers of a question that is asked all the time never wait. If that call fails, the cached
 * answer keeps its end.
 */
export function singleFlight<Answer>(
  run: () => Promise<Answer>,
  clock: Clock,
  seconds: number,
  aheadSeconds = 0,
): () => Promise<Answer> {
  let inFlight: Promise<Answer> | null = null;
  let cached: { readonly answer: Answer; readonly from: Instant; readonly until: Instant } | null =
    null;
  const runNow = async (): Promise<Answer> => {
    try {
      const answer = await run();
      const from = clock.now();
      cached = { answer, from, until: addSeconds(from, seconds) };
      return answer;
    } finally {
      inFlight = null;
    }
  };
  return () => {
    const now = clock.now();
    const isFresh = cached !== null && cached.from <= now && now < cached.until;
    if (!isFresh) return (inFlight ??= runNow());
    const { answer, until } = cached as NonNullable<typeof cached>;
    if (inFlight === null && addSeconds(now, aheadSeconds) >= until) {
      inFlight = runNow();
      // A caller after the end asks again and gets the error.
      inFlight.catch(() => undefined);
    }
    return Promise.resolve(answer);
  };
}
