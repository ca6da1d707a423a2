import type { Played } from "./play-payouts.ts";

/**
 * Plays histories one after the other; rejects with the seed of the first that fails. Resolves with the number of
 * times each event occurred.
 */
export async function playAll(
  { from, seeds }: { readonly from: number; readonly seeds: number },
  play: (seed: number) => Promise<Played>,
): Promise<ReadonlyMap<string, number>> {
  const seen = new Map<string, number>();
  for (let seed = from; seed < from + seeds; seed += 1) {
    try {
      for (const [what, count] of Object.entries(await play(seed))) {
        seen.set(what, (seen.get(what) ?? 0) + count);
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : "something was thrown";
      throw new Error(`seed ${seed}: ${reason}`, { cause: error });
    }
  }
  return seen;
}
