import { recordBlock } from "./follower.store.ts";
import {
  type FollowerContext,
  LeaseLost,
  leaseEnd,
  type PreparedBlock,
  type Session,
} from "./follower-session.ts";

/**
 * Commits one block in one transaction: cursor, block row, scanned height and everything the sink derives. Throws `LeaseLost`
 * when the cursor is no longer ours.
 */
export async function appendBlock(
  context: FollowerContext,
  session: Session,
  { block, node, hits, own }: PreparedBlock,
): Promise<void> {
  const { db, adapter, clock, sink } = context;
  const now = clock.now();
  const written = {
    nodeHeight: Math.max(session.tip?.height ?? 0, block.height),
    leaseExpiresAt: leaseEnd(context),
    readFrom: node,
    now,
  };
  await db.transaction(async (tx) => {
    const isOurs = await recordBlock(tx, session.fence, session.cursor, block, written);
    if (!isOurs) throw new LeaseLost(adapter.chain);
    await sink.appended(tx, adapter.chain, block, hits, now, own);
  });
  session.cursor = { height: block.height, hash: block.hash };
}
