import type { Executor } from "../../platform/db/database.ts";
import { numberEventRows } from "./event-feed.store.ts";

const batch = 2_000;

/**
 * Numbers every committed event in its account's feed and returns how many it numbered. Numbers have no gaps and become
 * visible in order, so a reader never skips an event, however late that one commits. Run it under one lease: two runs
 * at once keep the numbers intact but could swap events of one object.
 */
export async function relayEvents(context: { readonly db: Executor }): Promise<number> {
  let total = 0;
  for (;;) {
    const numbered = await numberEventRows(context.db, batch);
    total += numbered;
    if (numbered < batch) return total;
  }
}
