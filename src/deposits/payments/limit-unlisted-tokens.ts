import type { WatchedTransfer } from "../../chains/block-sink.ts";
import type { Executor } from "../../platform/db/database.ts";
import { countUnlisted } from "./incoming.store.ts";

/**
 * Most arrivals of tokens that the deployment does not list that are put on record for one deposit. Whoever likes makes a
 * token and sends 15,000 pieces of it to an address in one cheap block; each would cost a row and an event for ever.
 */
export const unlistedMax = 100;

/**
 * The hits without those that are one too many: unlisted tokens beyond `unlistedMax` of their deposit. Hits that are on record
 * already stay, so that a re-org finds all it wrote.
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
