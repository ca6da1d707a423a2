import type { BlockRef, MinedSpend } from "../chains/port.ts";
import type { Executor } from "../db/database.ts";
import { present } from "../kernel/assert.ts";
import type { Instant } from "../kernel/clock.ts";
import { changeSpends } from "./change-spends.ts";
import { enterInclusion, enterOrphan, mature } from "./learn-spend.ts";
import { findDueSpends, findSpendsInBlock, findSpendsOf, readTxidsAtLarge } from "./spend.store.ts";
import type { Spend } from "./spend.ts";
import type { SpendListener } from "./spend-listener.ts";

/** How blocks reach the spends; each word inside the transaction that moves the follower's cursor. */
export type SpendSink = {
  /**
   * The transactions of ours that a block may hold. To be asked after the block's content was read: what is signed later
   * cannot be in it.
   */
  readonly atLarge: (db: Executor, chain: string) => Promise<readonly string[]>;
  /** A block was appended; `mined` is what the reader found of `atLarge` in it. */
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
    atLarge: readTxidsAtLarge,
    appended: async (tx, chain, block, mined, now) => {
      await include(tx, listener, chain, block, mined, now);
      await matureDue(tx, listener, chain, block.height, now);
    },
    orphaned: async (tx, chain, block, now) => {
      const ids = await findSpendsInBlock(tx, chain, block);
      await changeSpends(tx, listener, ids, (spend) => enterOrphan(spend, block.hash, now), now);
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
    return enterInclusion(spend, { ...own, height, hash }, now);
  };
  await changeSpends(tx, listener, [...spendIds.values()], learn, now);
}

/**
 * Ends what has reached its currency's own count when the chain's tip is at `tipHeight`. What failed waits until its outcome was
 * read again (`review-outcomes.ts`): its money would go back to its payer.
 */
async function matureDue(
  tx: Executor,
  listener: SpendListener,
  chain: string,
  tipHeight: number,
  now: Instant,
): Promise<void> {
  const due = await findDueSpends(tx, chain, tipHeight);
  const learn = (spend: Spend): Spend =>
    spend.inclusion?.hasSucceeded === true ? mature(spend, tipHeight, now) : spend;
  await changeSpends(tx, listener, due, learn, now);
}
