import type { Database } from "../platform/db/database.ts";
import type { Clock } from "../platform/kernel/clock.ts";
import { type NoticeGroup, readDueGroups, storeNotification, takeNotices } from "./notice.store.ts";
import type { NoticeContent } from "./notice.ts";

/** Most lines of one email; the rest is counted. */
const linesMax = 20;

/**
 * Turns waiting notices into emails: one per member and topic, at once for the first notice and then at most one in `quietSeconds`, with
 * everything that happened in the meantime. Notices and email change in one transaction, so none is lost and none is notified twice.
 */
export async function composeNotifications(
  context: { readonly db: Database; readonly clock: Clock; readonly quietSeconds: number },
  signal: AbortSignal,
): Promise<void> {
  const { db, clock, quietSeconds } = context;
  for (const group of await readDueGroups(db, clock.now(), quietSeconds)) {
    if (signal.aborted) return;
    await compose(db, group, clock);
  }
}

async function compose(db: Database, group: NoticeGroup, clock: Clock): Promise<void> {
  await db.transaction(async (tx) => {
    const { recipient, contents } = await takeNotices(tx, group);
    const distinct = withoutRepeats(contents);
    if (recipient === null || distinct.length === 0) return;
    const content = { count: distinct.length, notices: distinct.slice(0, linesMax) };
    await storeNotification(tx, group, recipient, content, clock.now());
  });
}

/** The same receiver may fail several times, and the same payments be stopped by several switches. */
function withoutRepeats(contents: readonly NoticeContent[]): readonly NoticeContent[] {
  return [...new Map(contents.map((content) => [content.line, content])).values()];
}
