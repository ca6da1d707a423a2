import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { ScreeningProvider, ScreeningQuestion, ScreeningResult } from "./provider.ts";

const batchSize = 20;

/** What waits for the screening service's opinion, and what is done with it. */
export type Queue<Item> = {
  /** Up to `limit` in the order of their ids, from the one behind `after` ("0": from the first). */
  readonly read: (after: string, limit: number) => Promise<readonly Item[]>;
  /** Null: there is nothing to ask about it. */
  readonly question: (item: Item) => Promise<ScreeningQuestion | null>;
  /** Writes down the answers of a batch, in a transaction of their own. */
  readonly enter: (answers: readonly Answer<Item>[]) => Promise<unknown>;
};

export type Answer<Item> = { readonly item: Item; readonly result: ScreeningResult };

/**
 * Asks about all that is queued, a batch at a time and outside any transaction. What the service does not answer stays queued
 * and holds up nothing else. Rejects with `Unavailable`, once all were asked, where it gave any no answer.
 */
export async function screenQueued<Item extends { readonly id: string }>(
  provider: ScreeningProvider,
  queue: Queue<Item>,
  signal: AbortSignal,
): Promise<void> {
  const silences: Unavailable[] = [];
  for (let last = "0"; !signal.aborted; ) {
    const queued = await queue.read(last, batchSize);
    const found = await Promise.all(queued.map((item) => screenOne(provider, queue, item, signal)));
    silences.push(...found.filter((one) => one instanceof Unavailable));
    const answers = found.flatMap((one) =>
      one === null || one instanceof Unavailable ? [] : [one],
    );
    if (answers.length > 0) await queue.enter(answers);
    if (queued.length < batchSize) break;
    last = queued.at(-1)?.id ?? last;
  }
  const [first] = silences;
  if (first !== undefined) throw first;
}

/** Null where nothing is to be asked, or why there was no answer. */
async function screenOne<Item>(
  provider: ScreeningProvider,
  queue: Queue<Item>,
  item: Item,
  signal: AbortSignal,
): Promise<Answer<Item> | Unavailable | null> {
  const question = await queue.question(item);
  if (question === null) return null;
  try {
    return { item, result: await provider.screen(question, signal) };
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return error;
  }
}
