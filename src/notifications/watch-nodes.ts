import { isCaughtUp } from "../currencies/is-caught-up.ts";
import type { Database, Executor } from "../platform/db/database.ts";
import { addSeconds, type Clock, type Instant, secondsBetween } from "../platform/kernel/clock.ts";
import type { Notice, NoticeContent, NoticeSubject } from "./notice.ts";
import { continueOutage, endOutage, readChainReadings } from "./outage.store.ts";
import { recordNotices } from "./record-notices.ts";

export type WatchContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly chains: readonly string[];
};

/** Until then a chain that was not read may wait for this service, not for its node. */
const settlingSeconds = 180;
/** A node that fails again within this time continues its outage, of which operators know; after it, the outage has ended. */
const sameOutageSeconds = 1_800;
/** The end of an outage is no news any more if no worker was there to see it for so long. */
const newsSeconds = 86_400;

/**
 * Creates the job that tells operators when a chain has not been read to its node's tip for two minutes, and when it has been read again for
 * half an hour without a break. A node that comes and goes is one outage and is notified once.
 */
export function createNodeWatch(context: WatchContext): () => Promise<void> {
  const { db, clock, chains } = context;
  const beganAt = clock.now();
  return async () => {
    const now = clock.now();
    if (secondsBetween(beganAt, now) < settlingSeconds) return;
    const readings = await readChainReadings(db, chains);
    const quietSince = addSeconds(now, -sameOutageSeconds);
    for (const { chain, caughtUpAt, lastDownAt } of readings) {
      if (isCaughtUp(caughtUpAt, now)) {
        if (lastDownAt !== null && lastDownAt <= quietSince)
          await db.transaction((tx) => concludeOutage(tx, chain, quietSince, now));
        continue;
      }
      await db.transaction(async (tx) => {
        const isNew = await continueOutage(tx, chain, now, quietSince);
        if (!isNew) return;
        const line = `${chain}: its node does not answer, or is not in sync. Payments are not seen and payouts wait.`;
        await recordNotices(tx, [nodeNotice(chain, { path: "operations", line })], now);
      });
    }
  };
}

/** The outage's row is deleted with the notice, so its end is notified once. */
async function concludeOutage(
  tx: Executor,
  chain: string,
  quietSince: Instant,
  now: Instant,
): Promise<void> {
  const ended = await endOutage(tx, chain, quietSince);
  if (ended === null || secondsBetween(ended.lastDownAt, now) > newsSeconds) return;
  const minutes = Math.ceil(secondsBetween(ended.beganAt, ended.lastDownAt) / 60);
  const line = `${chain}: its node has answered for half an hour. It did not, or not always, for ${minutes} minutes before.`;
  const title = "A node answers again";
  await recordNotices(tx, [nodeNotice(chain, { path: "operations", title, line })], now);
}

function nodeNotice(chain: string, content: NoticeContent): Notice {
  const isEnd = content.title !== undefined;
  const about: NoticeSubject = {
    object: null,
    id: null,
    label: null,
    detail: chain,
    ...(isEnd ? { title: "node_answers" } : {}),
  };
  return {
    audience: "deployment",
    topic: "node_down",
    content: { ...content, about },
    paidDepositId: null,
  };
}
