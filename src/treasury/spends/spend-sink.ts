import type { BlockRef, MinedSpend } from "../../chains/port.ts";
import type { Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { changeSpends } from "./change-spends.ts";
import { findSpendsInBlock, findSpendsOf, readMinableTxids } from "./spend.store.ts";
import type { Spend } from "./spend.ts";
import type { SpendListener } from "./spend-listener.ts";
import { recordInclusion, recordReorg } from "./spend-transitions.ts";

/** How blocks reach the spends; each word inside the transaction that moves the follower's cursor. */
export type SpendSink = {
  /**
   * The transactions of ours that a block may hold. To be asked after the block's content was read: what is signed later
   * cannot be in it.
   */
  readonly readMinable: (db: Executor, chain: string) => Promise<readonly string[]>;
  /**
   * A block was appended; `mined` is what the reader found of `atLarge` in it. Nothing ends by its depth here: the outcome is read
   * again first (`review-outcomes.ts`).
   */
  readonly appended: (
    tx: Executor,
    chain: string,
    block: BlockRef,
    mined: readonly MinedSpend[],
    now: Instant,
  ) => Promise<void>;
  /** The newest block left the best chain. */
  readonly orphaned: (tx: Executor, chain: string, block: BlockRef, now: Instant) => Promise<void>;
};

/** See `SpendSink`; `listener` hears of every spend that changes. */
export function createSpendSink(listener: SpendListener): SpendSink {
  return {
    readMinable: readMinableTxids,
    appended: async (tx, chain, block, mined, now) => {
      await include(tx, listener, chain, block, mined, now);
    },
    orphaned: async (tx, chain, block, now) => {
      const ids = await findSpendsInBlock(tx, chain, block);
      await changeSpends(tx, listener, ids, (spend) => recordReorg(spend, block.hash, now), now);
    },
  };
}

async function include(
  tx: Executor,
  listener: SpendListener,
  chain: string,
  { height, hash }: BlockRef,
  mined: readonly MinedSpend[],
  now: Instant,
): Promise<void> {
  const spendIds = await findSpendsOf(
    tx,
    chain,
    mined.map(({ txid }) => txid),
  );
  const bySpend = new Map(mined.map((one) => [spendIds.get(one.txid), one]));
  const learn = (spend: Spend): Spend => {
    const own = present(bySpend.get(spend.id), `what was mined of spend ${spend.id}`);
    return recordInclusion(spend, { ...own, height, hash }, now);
  };
  await changeSpends(tx, listener, [...spendIds.values()], learn, now);
}
