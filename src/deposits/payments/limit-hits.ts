import type { WatchedTransfer } from "../../chains/block-sink.ts";
import type { Executor } from "../../platform/db/database.ts";
import { countUnlisted } from "./incoming.store.ts";

/**
 * The maximum number of origin entries (senders, spent outputs) that the transfers of one transaction keep together. Each
 * transfer stores its own: a transaction of 700 inputs that pays us 1,600 times would have a million entries, four of them a text
 * longer than the maximum length of a string.
 */
const entriesMax = 20_000;
const entriesMin = 10;

/**
 * Trims the origins of hits. A single payment keeps (almost) everything; where one transaction pays us many times, each transfer
 * keeps a different part of its senders, so that screening still gets all of them. The first spent outputs are enough to
 * recognize a rival except in rare cases, which asking the node about the payment decides.
 */
export function trimOrigins(hits: readonly WatchedTransfer[]): readonly WatchedTransfer[] {
  const outputs = new Map<string, number>();
  for (const { transfer } of hits) {
    outputs.set(transfer.key.txid, (outputs.get(transfer.key.txid) ?? 0) + 1);
  }
  const seen = new Map<string, number>();
  return hits.map((hit) => {
    const { txid } = hit.transfer.key;
    const { addresses, claims } = hit.senders;
    const place = seen.get(txid) ?? 0;
    seen.set(txid, place + 1);
    const share = Math.max(entriesMin, Math.floor(entriesMax / (outputs.get(txid) ?? 1)));
    if (addresses.length <= share && claims.length <= share) return hit;
    const senders = { addresses: partOf(addresses, place, share), claims: claims.slice(0, share) };
    return { ...hit, senders };
  });
}

/** The `place`-th part of `size` items; starts over after the last part. */
function partOf(items: readonly string[], place: number, size: number): readonly string[] {
  const parts = Math.max(1, Math.ceil(items.length / size));
  const start = (place % parts) * size;
  return items.slice(start, start + size);
}

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
  const found = unlistedOf(hits, isKnown);
  if (found.size === 0) return hits;
  return dropExcess(hits, found, await countUnlisted(tx, [...found]));
}

/** The hits in unlisted tokens that are not recorded yet. */
export function unlistedOf(
  hits: readonly WatchedTransfer[],
  isKnown: (hit: WatchedTransfer) => boolean,
): ReadonlySet<WatchedTransfer> {
  return new Set(hits.filter((hit) => hit.transfer.asset.kind === "unlisted" && !isKnown(hit)));
}

/** The hits without those of `found` that exceed the maximum; `recorded`: how many a deposit has already. */
export function dropExcess(
  hits: readonly WatchedTransfer[],
  found: ReadonlySet<WatchedTransfer>,
  recorded: ReadonlyMap<string, number>,
): readonly WatchedTransfer[] {
  const counts = new Map(recorded);
  return hits.filter((hit) => {
    if (!found.has(hit)) return true;
    const count = counts.get(hit.depositId) ?? 0;
    counts.set(hit.depositId, count + 1);
    return count < unlistedMax;
  });
}
