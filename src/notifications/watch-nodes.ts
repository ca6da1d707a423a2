import { isCaughtUp } from "../currencies/is-caught-up.ts";
import type { Database, Executor } from "../platform/db/database.ts";
import { addSeconds, type Clock, type Instant, secondsBetween } from "../platform/kernel/clock.ts";
import type { NoticeEvent } from "./notice-event.ts";
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
        await tell(tx, { kind: "node_down", chain }, now);
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
  await tell(tx, { kind: "node_answers", chain, minutes }, now);
}

function tell(tx: Executor, event: NoticeEvent, now: Instant): Promise<void> {
  return recordNotices(tx, [{ audience: "deployment", event, paidDepositId: null }], now);
}
