import { Unavailable } from "../../platform/kernel/unavailable.ts";

/** So often a chain's node may fail to answer before the rest of a pass waits for the next one. */
export const outagesMax = 3;

/**
 * Does each in turn, also after something outside did not answer for one of them: that is told once all had their turn, by
 * rejecting with the first `Unavailable`. After `most` of them the rest is left for the next time, since each may take
 * as long as a time-out.
 */
export async function tryEach<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
  most = Number.POSITIVE_INFINITY,
): Promise<void> {
  const silences: Unavailable[] = [];
  for (const item of items) {
    if (silences.length >= most) break;
    try {
      await work(item);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      silences.push(error);
    }
  }
  const [first] = silences;
  if (first !== undefined) throw first;
}
