import type { Executor } from "../../platform/db/database.ts";
import { numberEventRows } from "./event-feed.store.ts";

const batch = 2_000;

/**
 * One round of the relay: gives every committed event that has none its number in its account's feed, and returns how many
 * it numbered. Numbers have no gaps and become visible in their order, so a reader that stands at a number never skips an
 * event, however late that one commits. Run it under one lease: two at once do no harm to the numbers, but could swap
 * events of one object.
 */
export async function relayEvents(context: { readonly db: Executor }): Promise<number> {
  let total = 0;
  for (;;) {
    const numbered = await numberEventRows(context.db, batch);
    total += numbered;
    if (numbered < batch) return total;
  }
}
