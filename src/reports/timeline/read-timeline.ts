import type { Executor } from "../../platform/db/database.ts";
import type { ListQuery, Page } from "../../platform/kernel/list-query.ts";
import { listDepositEntries } from "./deposit-timeline.store.ts";
import type { TimelineOf } from "./entry.store.ts";
import { listPayoutEntries } from "./payout-timeline.store.ts";
import type { TimelineEntry } from "./timeline-entry.ts";

/** A page of the timeline of a deposit or payout. The caller checks the permission to view it. */
export function listTimeline(
  db: Executor,
  type: "deposit" | "payout",
  of: TimelineOf,
  query: ListQuery,
): Promise<Page<TimelineEntry>> {
  const list = type === "deposit" ? listDepositEntries : listPayoutEntries;
  return list(db, of, query);
}
