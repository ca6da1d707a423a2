import { addSeconds, type Clock, type Instant } from "./clock.ts";

/**
 * Shares one call of `ask` among concurrent callers and caches its result for `seconds`. `ask` never runs twice at the same
 * time. Failures are not cached.
 */
export function singleFlight<Answer>(
  run: () => Promise<Answer>,
  clock: Clock,
  seconds: number,
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
    if (inFlight !== null) return inFlight;
    const now = clock.now();
    if (cached !== null && cached.from <= now && now < cached.until)
      return Promise.resolve(cached.answer);
    inFlight = runNow();
    return inFlight;
  };
}
