import type { Played } from "./play-payouts.ts";

/**
 * Plays histories one after the other; rejects with the seed of the first that fails. Resolves with the number of
 * times each event occurred, and of histories: fewer than wanted if `signal` aborts.
 */
export async function playAll(
  { from, seeds }: { readonly from: number; readonly seeds: number },
  play: (seed: number) => Promise<Played>,
  signal?: AbortSignal,
): Promise<{ readonly seen: ReadonlyMap<string, number>; readonly histories: number }> {
  const seen = new Map<string, number>();
  let histories = 0;
  for (let seed = from; seed < from + seeds && signal?.aborted !== true; seed += 1) {
    try {
      for (const [what, count] of Object.entries(await play(seed))) {
        seen.set(what, (seen.get(what) ?? 0) + count);
      }
      histories += 1;
    } catch (error) {
      const reason = error instanceof Error ? error.message : "something was thrown";
      throw new Error(`seed ${seed}: ${reason}`, { cause: error });
    }
  }
  return { seen, histories };
}
