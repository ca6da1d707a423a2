import { isCaughtUp } from "../currencies/is-caught-up.ts";
import type { Database } from "../platform/db/database.ts";
import { addSeconds, type Clock, secondsBetween } from "../platform/kernel/clock.ts";
import { continueOutage, readChainReadings } from "./outage.store.ts";
import { recordNotices } from "./record-notices.ts";

export type WatchContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly chains: readonly string[];
};

/** Until then a chain that was not read may wait for this service, not for its node. */
const settlingSeconds = 180;
/** A node that fails again within this time continues its outage, of which operators know. */
const sameOutageSeconds = 1_800;

/**
 * Creates the job that tells operators when a chain has not been read to its node's tip for two minutes. A node that comes and goes is
 * one outage and is notified once.
 */
export function createNodeWatch(context: WatchContext): () => Promise<void> {
  const { db, clock, chains } = context;
  const beganAt = clock.now();
  return async () => {
    const now = clock.now();
    if (secondsBetween(beganAt, now) < settlingSeconds) return;
    const readings = await readChainReadings(db, chains);
    for (const { chain, caughtUpAt } of readings) {
      if (isCaughtUp(caughtUpAt, now)) continue;
      await db.transaction(async (tx) => {
        const isNew = await continueOutage(tx, chain, now, addSeconds(now, -sameOutageSeconds));
        if (!isNew) return;
        const line = `${chain}: its node does not answer, or is not in sync. Payments are not seen and payouts wait.`;
        await recordNotices(
          tx,
          [
            {
              audience: "deployment",
              topic: "node_down",
              content: { path: "operations", line },
              paidDepositId: null,
            },
          ],
          now,
        );
      });
    }
  };
}
