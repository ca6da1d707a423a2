import { Unavailable } from "../../platform/kernel/unavailable.ts";

/** After this many failures to respond, the rest of a pass waits for the next one. */
export const outagesMax = 3;

/**
 * Runs `work` for each item in turn. If a service does not respond for one item, the others still get their turn, and then it
 * rejects with the first `Unavailable`. After `most` failures the remaining items are left for the next pass, since each
 * failure may take as long as a time-out.
 */
export async function tryEach<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
  most = Number.POSITIVE_INFINITY,
): Promise<void> {
  const failures: Unavailable[] = [];
  for (const item of items) {
    if (failures.length >= most) break;
    try {
      await work(item);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      failures.push(error);
    }
  }
  const [first] = failures;
  if (first !== undefined) throw first;
}
