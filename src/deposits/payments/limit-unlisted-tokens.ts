import type { WatchedTransfer } from "../../chains/block-sink.ts";
import type { Executor } from "../../platform/db/database.ts";
import { countUnlisted } from "./incoming.store.ts";

/**
 * Most payments in unlisted tokens that are recorded for one deposit. Anyone can create a token and send 15,000 transfers of it
 * to an address in one cheap block; each would cost a row and an event permanently.
 */
export const unlistedMax = 100;

/**
 * Drops unlisted tokens beyond `unlistedMax` per deposit. Recorded hits are kept, so that a reorg reverses everything that was
 * written.
 */
export async function limitUnlistedTokens(
  tx: Executor,
  hits: readonly WatchedTransfer[],
  isKnown: (hit: WatchedTransfer) => boolean,
): Promise<readonly WatchedTransfer[]> {
  const isExtra = (hit: WatchedTransfer): boolean =>
    hit.transfer.asset.kind === "unlisted" && !isKnown(hit);
  const extra = hits.filter(isExtra);
  if (extra.length === 0) return hits;
  const counts = await countUnlisted(tx, extra);
  return hits.filter((hit) => {
    if (!isExtra(hit)) return true;
    const count = counts.get(hit.depositId) ?? 0;
    counts.set(hit.depositId, count + 1);
    return count < unlistedMax;
  });
}
