import { bestBlockAt, recordLock } from "./follower.store.ts";
import { type FollowerContext, LeaseLost, type Session } from "./follower-session.ts";

/**
 * At the node's tip, on chains whose networks lock blocks: records the newest locked block, if it is one of ours. What that settles is
 * decided by the jobs that also decide on reached confirmation counts.
 */
export async function enterLock(
  { adapter, clock, db }: FollowerContext,
  session: Session,
): Promise<void> {
  const { chain, reader } = adapter;
  const locked = (await reader.newestLocked?.(session.signal)) ?? null;
  if (locked === null || locked.hash === session.lockedHash) return;
  // Newer than ours: read again once its block is. On another branch: a reorg follows, or the node contradicts itself.
  if ((await bestBlockAt(db, chain, locked.height))?.hash !== locked.hash) return;
  const isOurs = await recordLock(db, session.fence, session.cursor, locked.height, clock.now());
  if (!isOurs) throw new LeaseLost(chain);
  session.lockedHash = locked.hash;
}
