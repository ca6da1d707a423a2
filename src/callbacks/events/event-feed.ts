import { mayView, type Principal, visibleWallets } from "../../accounts/principal.ts";
import type { Database, Executor } from "../../platform/db/database.ts";
import type { ListQuery, Page } from "../../platform/kernel/list-query.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { listEventRows, numberEventRows, readEventRow } from "./event-feed.store.ts";
import type { FeedEvent } from "./feed-event.ts";

const batch = 2_000;

/**
 * Numbers every committed event in its account's feed and returns how many it numbered. Numbers have no gaps and become
 * visible in order, so a reader never skips an event, however late that one commits. Run it under one lease: two runs
 * at once keep the numbers intact but could swap events of one object.
 */
export async function relayEvents(context: { readonly db: Database }): Promise<number> {
  let total = 0;
  for (;;) {
    const numbered = await numberEventRows(context.db, batch);
    total += numbered;
    if (numbered < batch) return total;
  }
}

/** A page of the account's feed, limited to wallets that the caller may view. */
export function listEvents(
  db: Executor,
  principal: Principal,
  query: ListQuery,
): Promise<Page<FeedEvent>> {
  return listEventRows(db, principal.accountId, visibleWallets(principal), query);
}

/** The event with this number, or null if there is none yet. Rejects with `noPermissionToView` for a wallet not granted to the caller. */
export async function readEvent(
  db: Executor,
  principal: Principal,
  seq: string,
): Promise<FeedEvent | null> {
  const event = await readEventRow(db, principal.accountId, seq);
  if (event !== null && !mayView(principal, event.walletId ?? "")) {
    reject("noPermissionToView", "This event belongs to a wallet that you don't have access to.");
  }
  return event;
}
