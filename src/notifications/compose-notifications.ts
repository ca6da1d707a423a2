import type { Database } from "../platform/db/database.ts";
import type { Clock } from "../platform/kernel/clock.ts";
import {
  type Channel,
  type NoticeGroup,
  readDueGroups,
  storeNotification,
  storePushes,
  takeNotices,
} from "./notice.store.ts";
import type { NoticeContent } from "./notice.ts";

/** Most lines of one message; the rest is counted. */
const linesMax = { email: 20, push: 3 } as const;

type ComposeContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly channel: Channel;
  readonly quietSeconds: number;
};

/**
 * Turns waiting notices into emails, or into messages to the members' browsers: one per member and topic, at once for the first notice
 * and then at most one in `quietSeconds`, with everything that happened in the meantime. Notices and message change in one transaction,
 * so none is lost and none is notified twice.
 */
export async function composeNotifications(
  context: ComposeContext,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock, channel, quietSeconds } = context;
  for (const group of await readDueGroups(db, channel, clock.now(), quietSeconds)) {
    if (signal.aborted) return;
    await compose(context, group);
  }
}

async function compose({ db, clock, channel }: ComposeContext, group: NoticeGroup): Promise<void> {
  await db.transaction(async (tx) => {
    const { recipient, contents } = await takeNotices(tx, channel, group);
    const distinct = withoutRepeats(contents);
    const { wants, email, language, shop } = recipient;
    if (!wants || distinct.length === 0) return;
    const told = { count: distinct.length, notices: distinct.slice(0, linesMax[channel]) };
    if (channel === "push") await storePushes(tx, group, told, clock.now());
    else if (email !== null)
      await storeNotification(tx, group, email, { ...told, shop, language }, clock.now());
  });
}

/** The same receiver may fail several times. Two payments of one deposit are two events, though they read the same. */
function withoutRepeats(contents: readonly NoticeContent[]): readonly NoticeContent[] {
  const identity = ({ line, event }: NoticeContent): string => {
    if (event === undefined) return line;
    return JSON.stringify(
      event.kind === "webhook_failing" ? { ...event, answer: undefined } : event,
    );
  };
  return [...new Map(contents.map((content) => [identity(content), content])).values()];
}
