import type { BlockRef, TransactionReceipt } from "../../chains/port.ts";
import type { Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { changeSpends } from "./change-spends.ts";
import { findSpendsInBlock, findSpendsOf, readMinableTxids } from "./spend.store.ts";
import type { Spend } from "./spend.ts";
import type { SpendListener } from "./spend-listener.ts";
import { recordInclusion, recordReorg } from "./spend-transitions.ts";

/** Enters blocks into the spends; each function runs in the transaction that moves the follower's cursor. */
export type SpendSink = {
  /** Transactions of ours that a block may contain. Call it after reading the block: what is signed later cannot be in it. */
  readonly readMinable: (db: Executor, chain: string) => Promise<readonly string[]>;
  /**
   * A block was appended; `mined` are those of our transactions that it contains. No spend becomes final here: its outcome is
   * read again first (`confirm-outcomes.ts`).
   */
  readonly appended: (
    tx: Executor,
    chain: string,
    block: BlockRef,
    mined: readonly TransactionReceipt[],
    now: Instant,
  ) => Promise<void>;
  /** The newest block left the best chain. */
  readonly orphaned: (tx: Executor, chain: string, block: BlockRef, now: Instant) => Promise<void>;
};

/** Creates the sink; `listener` receives every changed spend. */
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
  mined: readonly TransactionReceipt[],
  now: Instant,
): Promise<void> {
  const spendIds = await findSpendsOf(
    tx,
    chain,
    mined.map(({ txid }) => txid),
  );
  const bySpend = new Map(
    mined.map((transaction) => [spendIds.get(transaction.txid), transaction]),
  );
  const apply = (spend: Spend): Spend => {
    const own = present(bySpend.get(spend.id), `the mined transaction of spend ${spend.id}`);
    return recordInclusion(spend, { ...own, height, hash }, now);
  };
  await changeSpends(tx, listener, [...spendIds.values()], apply, now);
}
