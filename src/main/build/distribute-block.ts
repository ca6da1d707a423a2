import type { BlockSink, WatchedTransfer } from "../../chains/block-sink.ts";
import type { Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { enterArrivals, orphanBlockArrivals } from "../../treasury/holdings/arrival-sink.ts";
import {
  type BlockFacts,
  type FollowedTreasury,
  holdsCoins,
} from "../../treasury/holdings/block-facts.ts";
import { orphanCoins } from "../../treasury/holdings/coin.store.ts";
import { enterBlockCoins } from "../../treasury/holdings/coin-sink.ts";
import { takeBackHoldings } from "../../treasury/holdings/holding.store.ts";
import { enterHoldings } from "../../treasury/holdings/holding-sink.ts";
import {
  type FindOwnSpends,
  type OwnSpend,
  paysOthers,
} from "../../treasury/holdings/own-spends.ts";
import type { SpendSink } from "../../treasury/spends/spend-sink.ts";

export type SinkParts = {
  readonly chains: readonly FollowedTreasury[];
  readonly deposits: BlockSink;
  readonly spends: Pick<SpendSink, "appended" | "orphaned">;
  readonly findOwnSpends: FindOwnSpends;
  /** Counts the confirmations of payouts as the chain's tip moves to `height`. */
  readonly confirmPayouts: (
    tx: Executor,
    chain: string,
    height: number,
    now: Instant,
  ) => Promise<unknown>;
};

/**
 * One sink of all that hears of blocks: where our money lies, our own transactions, and the deposits. What only moves our own
 * money about (coin for a sweep's fee, say) is no payment to a deposit, wherever it goes.
 */
export function composeSinks(parts: SinkParts): BlockSink {
  const { chains, deposits, spends, findOwnSpends, confirmPayouts } = parts;
  const byName = new Map(chains.map((chain) => [chain.chain, chain]));
  const followed = (chain: string): FollowedTreasury =>
    present(byName.get(chain), `the chain ${chain}`);
  const ownAmong = async (
    tx: Executor,
    chain: string,
    outputs: readonly Pick<WatchedTransfer, "transfer">[],
  ): Promise<ReadonlyMap<string, OwnSpend>> => {
    const txids = new Set(outputs.map(({ transfer }) => transfer.key.txid));
    return txids.size === 0 ? new Map() : await findOwnSpends(tx, chain, [...txids]);
  };

  return {
    appended: async (tx, chain, block, outputs, now, own) => {
      const treasury = followed(chain);
      const ownSpends = await ownAmong(tx, chain, [...outputs, ...own.arrivals]);
      const hits = paymentsAmong(outputs, ownSpends);
      const facts: BlockFacts = { hits, outputs, arrivals: own.arrivals, ownSpends };
      if (holdsCoins(treasury)) await enterBlockCoins(tx, treasury, block, facts, now);
      else await enterHoldings(tx, treasury, block, facts);
      await enterArrivals(tx, treasury, block, facts, now);
      await spends.appended(tx, chain, block, own.mined, now);
      await confirmPayouts(tx, chain, block.height, now);
      await deposits.appended(tx, chain, block, hits, now, own);
    },
    orphaned: async (tx, chain, block, now) => {
      if (holdsCoins(followed(chain))) await orphanCoins(tx, chain, block.height);
      else await takeBackHoldings(tx, chain, block.height);
      await orphanBlockArrivals(tx, chain, block.height, now);
      await spends.orphaned(tx, chain, block, now);
      await deposits.orphaned(tx, chain, block, now);
    },
    pendingSeen: async (tx, chain, outputs, now) => {
      const hits = paymentsAmong(outputs, await ownAmong(tx, chain, outputs));
      if (hits.length > 0) await deposits.pendingSeen(tx, chain, hits, now);
    },
    outstanding: deposits.outstanding,
    fatesLearned: deposits.fatesLearned,
  };
}

function paymentsAmong(
  outputs: readonly WatchedTransfer[],
  ownSpends: ReadonlyMap<string, OwnSpend>,
): readonly WatchedTransfer[] {
  if (ownSpends.size === 0) return outputs;
  return outputs.filter(({ transfer }) => {
    const spend = ownSpends.get(transfer.key.txid);
    return spend === undefined || paysOthers(spend);
  });
}
