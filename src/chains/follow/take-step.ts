import { present } from "../../platform/kernel/assert.ts";
import type { BlockRef } from "../port.ts";
import { loadCatchUpFilter, reorgDepthMax } from "./catch-up-filter.ts";
import { countOnce } from "./count-once.ts";
import { enterLock } from "./enter-lock.ts";
import { bestBlockAt, recordBlock } from "./follower.store.ts";
import {
  type FollowerContext,
  type FollowerState,
  LeaseLost,
  leaseEnd,
  type PreparedBlock,
  type Progress,
  type Session,
} from "./follower-session.ts";
import { nextStep } from "./next-step.ts";
import { orphanNewest } from "./orphan-newest.ts";
import { readPending } from "./read-pending.ts";

/** Reads the node once and takes the step that follows. `idle`: nothing to do until another block or payment may have arrived. */
export async function takeStep(
  context: FollowerContext,
  session: Session,
): Promise<"moved" | "idle"> {
  const { tip, prepared, hashAtTheirTip } = await readState(context, session);
  const step = nextStep(
    { ...session.cursor, hashAtTheirTip },
    { tip, next: prepared?.block ?? null },
  );
  const report = (
    state: FollowerState,
    event: Progress["event"],
    hits: readonly unknown[] = [],
  ): void => {
    const { height } = session.cursor;
    const { chain } = context.adapter;
    context.onProgress({ chain, state, height, nodeHeight: tip.height, event, hits: hits.length });
  };
  switch (step.kind) {
    case "append": {
      const block = present(prepared, "a block to append was read before");
      await appendBlock(context, session, block);
      report("following", "appended", block.hits);
      return "moved";
    }
    case "orphan": {
      const orphaned = session.cursor;
      const isDone = await orphanNewest(context, session, tip);
      if (!isDone) return "idle";
      context.logger.warn("block orphaned", {
        chain: context.adapter.chain,
        height: orphaned.height,
        hash: orphaned.hash,
      });
      report("following", "orphaned");
      return "moved";
    }
    case "idle": {
      if (step.reason === "atTip") {
        await enterLock(context, session);
        const isCaughtUp = await readPending(context, session);
        report("atTip", isCaughtUp ? "caughtUp" : null);
        return isCaughtUp ? "idle" : "moved";
      }
      session.tip = null;
      session.ahead.drop();
      report(step.reason === "behind" ? "behind" : "following", null);
      return "idle";
    }
  }
}

type ChainState = {
  readonly tip: BlockRef;
  /** The node's block above our newest, read and matched; null when there is none. */
  readonly prepared: PreparedBlock | null;
  readonly hashAtTheirTip: string | null;
};

/** While behind the last known tip, the tip is not read again: a block's parent hash reveals a reorg. */
async function readState(context: FollowerContext, session: Session): Promise<ChainState> {
  const { adapter, clock, db } = context;
  const { height } = session.cursor;
  if (session.tip === null || session.tip.height <= height) {
    session.tipReadAt = clock.now();
    session.tip = await adapter.reader.tip(session.signal);
    await chooseFilter(context, session, session.tip);
  }
  const { tip } = session;
  if (tip.height > height) {
    const prepared = await session.ahead.take(height + 1, tip.height);
    return { tip, prepared, hashAtTheirTip: null };
  }
  const held = tip.height < height ? await bestBlockAt(db, adapter.chain, tip.height) : null;
  return { tip, prepared: null, hashAtTheirTip: held?.hash ?? null };
}

/** Decided at each reading of the tip, so that the filter's memory is freed near the tip. */
async function chooseFilter(
  { adapter, db, settings }: FollowerContext,
  session: Session,
  tip: BlockRef,
): Promise<void> {
  const blocks = tip.height - reorgDepthMax(adapter.reader) - session.cursor.height;
  session.filter =
    blocks < settings.filterFromBlocks
      ? null
      : await loadCatchUpFilter(db, adapter, tip, session.signal);
}

/**
 * Commits one block in one transaction: cursor, block row, scanned height and everything the sink derives. Throws `LeaseLost`
 * when the cursor is no longer ours.
 */
async function appendBlock(
  context: FollowerContext,
  session: Session,
  { block, node, hits, own }: PreparedBlock,
): Promise<void> {
  const { db, adapter, clock, logger, sink } = context;
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
    const { chain } = adapter;
    const { arrivals } = own;
    const counted = await countOnce(tx, { chain, logger }, block, { hits, arrivals });
    const { hits: payments, arrivals: ours } = counted;
    await sink.appended(tx, chain, block, payments, now, { ...own, arrivals: ours });
  });
  session.cursor = { height: block.height, hash: block.hash };
}
