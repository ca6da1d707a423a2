import type { Executor } from "../../platform/db/database.ts";
import type { ListQuery, Page } from "../../platform/kernel/list-query.ts";
import { listDepositEntries } from "./deposit-timeline.store.ts";
import type { TimelineOf } from "./entry.store.ts";
import { listPayoutEntries } from "./payout-timeline.store.ts";
import type { TimelineEntry } from "./timeline-entry.ts";

/** A page of the timeline of a deposit that the caller may view. */
export function listDepositTimeline(
  db: Executor,
  deposit: TimelineOf,
  query: ListQuery,
): Promise<Page<TimelineEntry>> {
  return listDepositEntries(db, deposit, query);
}

/** The same for a payout. */
export function listPayoutTimeline(
  db: Executor,
  payout: TimelineOf,
  query: ListQuery,
): Promise<Page<TimelineEntry>> {
  return listPayoutEntries(db, payout, query);
}
