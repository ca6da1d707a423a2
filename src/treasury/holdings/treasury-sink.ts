import type { OwnArrival, WatchedTransfer } from "../../chains/block-sink.ts";
import type { BlockRef } from "../../chains/port.ts";
import type { Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { markIssued } from "./address.store.ts";
import {
  type BlockFacts,
  type FollowedTreasury,
  holdsCoins,
  sharesAccount,
} from "./block-facts.ts";
import { bookArrivals, reverseArrivals } from "./book-arrivals.ts";
import { bookCharges, reverseCharges } from "./book-charges.ts";
import { type FoundCoin, insertCoins, orphanCoins } from "./coin.store.ts";
import { watchAhead } from "./ensure-treasury.ts";
import { addHoldings, type HeldArrival, subtractHoldings } from "./holding.store.ts";

/** Enters blocks into the treasury; both functions run in the block's transaction. */
export type TreasurySink = {
  readonly appended: (
    tx: Executor,
    chain: string,
    block: BlockRef,
    facts: BlockFacts,
    now: Instant,
  ) => Promise<void>;
  readonly orphaned: (
    tx: Executor,
    chain: string,
    block: Pick<BlockRef, "height">,
    now: Instant,
  ) => Promise<void>;
};

/**
 * Tracks where our money lies: coins on UTXO chains, balances of deposit addresses on account chains, and arrivals at the
 * treasury's own addresses.
 */
export function createTreasurySink(chains: readonly FollowedTreasury[]): TreasurySink {
  const byName = new Map(chains.map((chain) => [chain.chain, chain]));
  const followed = (chain: string): FollowedTreasury =>
    present(byName.get(chain), `the chain ${chain}`);
  return {
    appended: async (tx, chain, block, facts, now) => {
      const treasury = followed(chain);
      if (holdsCoins(treasury)) await enterCoins(tx, treasury, block, facts, now);
      else if (!sharesAccount(treasury)) await enterHoldings(tx, chain, block, facts);
      await bookArrivals(tx, treasury, block, facts, now);
      await bookCharges(tx, chain, block, facts.charges, now);
    },
    orphaned: async (tx, chain, { height }, now) => {
      if (holdsCoins(followed(chain))) await orphanCoins(tx, chain, height);
      else await subtractHoldings(tx, chain, height);
      await reverseArrivals(tx, chain, height, now);
      await reverseCharges(tx, chain, height, now);
    },
  };
}

async function enterCoins(
  tx: Executor,
  chain: FollowedTreasury,
  { height }: BlockRef,
  { outputs, arrivals }: BlockFacts,
  now: Instant,
): Promise<void> {
  const coins = [
    ...outputs.flatMap((output) => coinOf(output, 0)),
    ...arrivals.flatMap((arrival) => coinOf(arrival, 1)),
  ];
  await insertCoins(tx, chain.chain, height, coins);
  await watchFurther(tx, chain, arrivals, now);
}

function coinOf(
  { transfer, addressType, keyIndex }: OwnArrival | WatchedTransfer,
  branch: 0 | 1,
): readonly FoundCoin[] {
  const { key, asset, to, spendableFromHeight } = transfer;
  if (asset.kind !== "currency" || asset.amount.units === 0n) return [];
  return [
    {
      outpoint: `${key.txid}:${key.index}`,
      units: asset.amount.units,
      watchKey: to,
      addressType,
      branch,
      keyIndex,
      spendableFromHeight,
    },
  ];
}

/**
 * Change at an address that this database never issued was sent before the database was restored from a backup: the address is
 * in use, and the ones after it may be.
 */
async function watchFurther(
  tx: Executor,
  chain: FollowedTreasury,
  arrivals: readonly OwnArrival[],
  now: Instant,
): Promise<void> {
  if (arrivals.length === 0) return;
  const watchKeys = [...new Set(arrivals.map(({ transfer }) => transfer.to))];
  const highest = await markIssued(tx, chain.keyspace, watchKeys, now);
  if (highest !== null) await watchAhead(tx, chain, highest, now);
}

/** Adds up what payments left on deposit addresses, for the sweeper. */
async function enterHoldings(
  tx: Executor,
  chain: string,
  { height }: BlockRef,
  { payments }: BlockFacts,
): Promise<void> {
  const sums = new Map<string, HeldArrival>();
  for (const { transfer, accountId, walletId, keyIndex } of payments) {
    const { to, asset } = transfer;
    if (asset.kind !== "currency" || asset.amount.units === 0n) continue;
    const { units, currency } = asset.amount;
    const key = `${to} ${currency}`;
    const sum = units + (sums.get(key)?.units ?? 0n);
    sums.set(key, { watchKey: to, currency, accountId, walletId, keyIndex, units: sum });
  }
  await addHoldings(tx, chain, height, [...sums.values()]);
}
