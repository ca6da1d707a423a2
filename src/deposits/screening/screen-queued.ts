import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { ScreeningProvider, ScreeningQuestion, ScreeningResult } from "./provider.ts";

const batchSize = 20;

/** A queue of items to screen, and how results are recorded. */
export type Queue<Item> = {
  /** Up to `limit` items in id order, after the id `after` ("0": from the start). */
  readonly read: (after: string, limit: number) => Promise<readonly Item[]>;
  /** Null: this item needs no screening. */
  readonly question: (item: Item) => Promise<ScreeningQuestion | null>;
  /** Records the answers of a batch in a transaction of their own. */
  readonly enter: (answers: readonly Answer<Item>[]) => Promise<unknown>;
};

/** Without a provider there is no result. */
export type Answer<Item> = { readonly item: Item; readonly result: ScreeningResult | null };

/**
 * Screens all queued items, a batch at a time and outside any transaction. Items without an answer stay queued and block no
 * others. After all were asked, rejects with `Unavailable` if any had no answer. Without a provider (null), every item has an
 * answer without a result: nothing waits for a service that was removed from the configuration.
 */
export async function screenQueued<Item extends { readonly id: string }>(
  provider: ScreeningProvider | null,
  queue: Queue<Item>,
  signal: AbortSignal,
): Promise<void> {
  const outages: Unavailable[] = [];
  for (let last = "0"; !signal.aborted; ) {
    const queued = await queue.read(last, batchSize);
    const found = await Promise.all(queued.map((item) => screenOne(provider, queue, item, signal)));
    outages.push(...found.filter((outcome) => outcome instanceof Unavailable));
    const answers = found.flatMap((outcome) =>
      outcome === null || outcome instanceof Unavailable ? [] : [outcome],
    );
    if (answers.length > 0) await queue.enter(answers);
    if (queued.length < batchSize) break;
    last = queued.at(-1)?.id ?? last;
  }
  const [first] = outages;
  if (first !== undefined) throw first;
}

/** Null if there is nothing to ask; otherwise the answer or the failure. */
async function screenOne<Item>(
  provider: ScreeningProvider | null,
  queue: Queue<Item>,
  item: Item,
  signal: AbortSignal,
): Promise<Answer<Item> | Unavailable | null> {
  if (provider === null) return { item, result: null };
  const question = await queue.question(item);
  if (question === null) return null;
  try {
    return { item, result: await provider.screen(question, signal) };
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return error;
  }
}
