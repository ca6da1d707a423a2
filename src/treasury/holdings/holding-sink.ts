import type { WatchedTransfer } from "../../chains/block-sink.ts";
import type { BlockRef } from "../../chains/port.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { BlockFacts, FollowedTreasury } from "./block-facts.ts";
import { addHoldings, type HeldArrival } from "./holding.store.ts";

/** Notes what payments left on deposits' addresses, for the sweeper to look at. */
export async function enterHoldings(
  tx: Executor,
  { chain }: FollowedTreasury,
  { height }: BlockRef,
  { hits }: BlockFacts,
): Promise<void> {
  const sums = new Map<string, HeldArrival>();
  for (const hit of hits) {
    const held = heldBy(hit);
    if (held === null) continue;
    const key = `${held.watchKey} ${held.currency}`;
    sums.set(key, { ...held, units: held.units + (sums.get(key)?.units ?? 0n) });
  }
  await addHoldings(tx, chain, height, [...sums.values()]);
}

function heldBy({ transfer, accountId, walletId, keyIndex }: WatchedTransfer): HeldArrival | null {
  const { to, asset } = transfer;
  if (asset.kind !== "currency" || asset.amount.units === 0n) return null;
  const { units, currency } = asset.amount;
  return { watchKey: to, currency, accountId, walletId, keyIndex, units };
}
