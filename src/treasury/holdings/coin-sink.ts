import type { OwnArrival, WatchedTransfer } from "../../chains/block-sink.ts";
import type { BlockRef } from "../../chains/port.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { noteUsed } from "./address.store.ts";
import type { BlockFacts, FollowedTreasury } from "./block-facts.ts";
import { enterCoins, type FoundCoin } from "./coin.store.ts";
import { watchAhead } from "./ensure-treasury.ts";

/** Enters the coins that a block brought to our addresses, deposits' and our own. */
export async function enterBlockCoins(
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
  await enterCoins(tx, chain.chain, height, coins);
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
 * Change that came to an address which this database never gave out was sent before the database was restored from a
 * backup: the address is in use, and those after it may be.
 */
async function watchFurther(
  tx: Executor,
  chain: FollowedTreasury,
  arrivals: readonly OwnArrival[],
  now: Instant,
): Promise<void> {
  if (arrivals.length === 0) return;
  const watchKeys = [...new Set(arrivals.map(({ transfer }) => transfer.to))];
  const highest = await noteUsed(tx, chain.keyspace, watchKeys, now);
  if (highest !== null) await watchAhead(tx, chain, highest, now);
}
