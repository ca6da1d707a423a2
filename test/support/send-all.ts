import { seed } from "./seed.ts";

/** Sends all at once, over the pool's connections; a failure names its request. */
export async function sendAll<Item, Result>(
  items: readonly Item[],
  describeItem: (item: Item) => string,
  work: (item: Item, place: number) => Promise<Result>,
): Promise<readonly Result[]> {
  return Promise.all(
    items.map(async (item, place) => {
      try {
        return await work(item, place);
      } catch (error) {
        throw new Error(`seed ${seed}: ${describeItem(item)}\n${String(error).slice(0, 1_500)}`, {
          cause: error,
        });
      }
    }),
  );
}
