import { addSeconds, type Clock, type Instant } from "./clock.ts";

/**
 * Asks once for all who want to know at about the same time: who comes while an answer is under way gets that one, who comes
 * within `seconds` after it too. However often it is called, `ask` never runs twice at once. A failure is not kept.
 */
export function shareAnswer<Answer>(
  ask: () => Promise<Answer>,
  clock: Clock,
  seconds: number,
): () => Promise<Answer> {
  let underWay: Promise<Answer> | null = null;
  let kept: { readonly answer: Answer; readonly from: Instant; readonly until: Instant } | null =
    null;
  const askNow = async (): Promise<Answer> => {
    try {
      const answer = await ask();
      const from = clock.now();
      kept = { answer, from, until: addSeconds(from, seconds) };
      return answer;
    } finally {
      underWay = null;
    }
  };
  return () => {
    if (underWay !== null) return underWay;
    const now = clock.now();
    if (kept !== null && kept.from <= now && now < kept.until) return Promise.resolve(kept.answer);
    underWay = askNow();
    return underWay;
  };
}
