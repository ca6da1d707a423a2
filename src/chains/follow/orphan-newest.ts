import { assert, present } from "../../platform/kernel/assert.ts";
import type { ChainAdapter } from "../chain-adapter.ts";
import { type BlockRef, ImpossibleAnswer } from "../port.ts";
import { reorgDepthMax } from "./catch-up-filter.ts";
import type { Cursor } from "./cursor.ts";
import { bestBlockAt, lockCursor, lowestKept, peakHeight, stepBack } from "./follower.store.ts";
import { type FollowerContext, LeaseLost, refuseAnswer, type Session } from "./follower-session.ts";
import { releaseKeys } from "./one-time-key.store.ts";

/** More blocks would have to be undone than the chain's reorg limit allows: operator action required. */
export class ReorgTooDeep extends Error {
  override readonly name = "ReorgTooDeep";
}

/**
 * Orphans our newest block after the node showed another one in its place. First asks the node whether our block is on its
 * best chain after all (a load balancer may switch nodes): then nothing happens and the result is false. Beyond the reorg
 * limit it throws `ReorgTooDeep` with nothing undone. On a final chain it undoes nothing: nodes with other blocks are refused.
 */
export async function orphanNewest(
  context: FollowerContext,
  session: Session,
  tip: BlockRef,
): Promise<boolean> {
  const { db, adapter, clock, sink } = context;
  const { chain, reader } = adapter;
  const hash = present(session.cursor.hash, "nothing to orphan: no block is held");
  session.ahead.drop();
  session.tip = null;
  await reader.verifyNetwork(session.signal);
  if ((await reader.headerByHash(hash, session.signal)) !== null) return false;
  if (reader.finality.kind === "final") {
    await refuseForks(context, session, hash);
    return false;
  }
  const depth = await measureDepth(context, session, tip);
  const orphan = await bestBlockAt(db, chain, session.cursor.height);
  const parent = await bestBlockAt(db, chain, session.cursor.height - 1);
  // Without the lease, the cursor and blocks are another follower's and prove nothing about this node.
  if (!(await lockCursor(db, session.fence, session.cursor))) throw new LeaseLost(chain);
  assertWithinLimit(adapter, session.cursor, depth, tip);
  assert(orphan?.hash === hash, `the newest block of ${chain} is not on record`);
  const below: Cursor = parent ?? { height: rewindHeight(context, session.cursor), hash: null };
  const now = clock.now();
  await db.transaction(async (tx) => {
    const blockTime = parent?.time ?? null;
    const isOurs = await stepBack(tx, session.fence, hash, { ...below, blockTime }, now);
    if (!isOurs) throw new LeaseLost(chain);
    await sink.orphaned(tx, chain, orphan, now);
    await releaseKeys(tx, chain, orphan.height);
  });
  session.cursor = { height: below.height, hash: below.hash };
  // Transactions of the block may be pending again, and canceled transfers may come back: match everything pending again.
  session.matchedPending = new Set();
  session.lockedHash = null;
  session.statusesReadAt = null;
  return true;
}

/**
 * Sets every node aside that shows another block in place of our newest one, which is final: the node is on a fork, or it lied about
 * that block when it was read. Nothing is undone; where all nodes show another one, a person has to decide who is right.
 */
async function refuseForks(
  context: FollowerContext,
  { cursor: { height }, signal }: Session,
  hash: string,
): Promise<void> {
  const { chain, nodes } = context.adapter;
  for (const { node, reader } of nodes.available()) {
    const theirs = await reader.headerAt(height, signal);
    if (theirs === null || theirs.hash === hash) continue;
    const what = `${node} reports block ${theirs.hash} at height ${height}, where ${hash} is final`;
    await refuseAnswer(
      context,
      node,
      height,
      new ImpossibleAnswer(chain, `${what}: its answer is refused`),
    );
  }
}

type Depth = {
  /** The highest block that a reorg may not replace. */
  readonly floor: number;
  /** Blocks above it that may be undone. */
  readonly reach: number;
  /** Whether the limit would allow more, but older blocks were pruned, so that their effects cannot be undone. */
  readonly isOfKept: boolean;
  /** Whether the node shows another block at the floor, or below it where its chain ends there. */
  readonly isFloorReplaced: boolean;
};

/**
 * Depth counts from the greatest height ever held, so that a crash half way does not grant the limit twice. The block that
 * must stay is compared first: a reorg that is too deep undoes nothing.
 */
async function measureDepth(
  { db, adapter }: FollowerContext,
  session: Session,
  tip: BlockRef,
): Promise<Depth> {
  const { chain, reader } = adapter;
  const peak = (await peakHeight(db, chain)) ?? session.cursor.height;
  const allowed = peak - reorgDepthMax(reader);
  const floor = Math.max(allowed, (await lowestKept(db, chain)) ?? allowed);
  const checkedAt = Math.min(floor, tip.height);
  const held = checkedAt < 0 ? null : await bestBlockAt(db, chain, checkedAt);
  const theirs = held === null ? null : await reader.headerAt(checkedAt, session.signal);
  const isFloorReplaced = held !== null && theirs !== null && theirs.hash !== held.hash;
  return { floor, reach: peak - floor, isOfKept: floor > allowed, isFloorReplaced };
}

function assertWithinLimit(
  { chain }: ChainAdapter,
  { height, hash }: Cursor,
  { floor, reach, isOfKept, isFloorReplaced }: Depth,
  tip: BlockRef,
): void {
  if (height <= floor || isFloorReplaced) {
    const remedy = isOfKept
      ? "blocks further down are not kept, so that no greater limit helps"
      : `if the chain really did this, set chains.${chain}.reorg_limit to more and start again`;
    throw new ReorgTooDeep(
      `${chain}: the node replaced more than ${reach} blocks (ours at ${height} is ${hash ?? ""}, its tip is ` +
        `${tip.hash} at ${tip.height}). Following stopped. Check the node against others; ${remedy}`,
    );
  }
}

/**
 * Our very first block was replaced. Blocks below it were never read and may have been replaced too, by blocks that pay
 * addresses issued since: those within the reorg limit are read.
 */
function rewindHeight({ adapter, startHeight }: FollowerContext, cursor: Cursor): number {
  return Math.max(cursor.height - reorgDepthMax(adapter.reader), startHeight ?? 0) - 1;
}
