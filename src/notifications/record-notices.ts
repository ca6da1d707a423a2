import type { Executor } from "../platform/db/database.ts";
import type { Instant } from "../platform/kernel/clock.ts";
import { storeNotices } from "./notice.store.ts";
import type { Notice } from "./notice.ts";
import { noticeContent, topicOf } from "./notice-content.ts";

/**
 * Records what members who chose it are notified, in the transaction in which it happens: a row per member, so that none is lost and a
 * rollback tells nobody. Receipts of paid deposits are written with it.
 */
export async function recordNotices(
  tx: Executor,
  notices: readonly Notice[],
  now: Instant,
): Promise<void> {
  if (notices.length === 0) return;
  const rows = notices.map(({ event, ...notice }) => ({
    ...notice,
    topic: topicOf(event),
    content: noticeContent(event),
  }));
  await storeNotices(tx, rows, now);
}
