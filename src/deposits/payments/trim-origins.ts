import type { WatchedTransfer } from "../../chains/block-sink.ts";

/**
 * Most entries of one transaction's origin (senders, spent outputs) that its transfers keep together. Each transfer keeps the
 * origin of its own: a transaction of 700 inputs that pays us 1,600 times would be a million entries, four of them a
 * text that no string can hold.
 */
const entriesMax = 20_000;
const entriesMin = 10;

/**
 * The hits with origins cut to what is kept. A payment that comes alone keeps (as good as) everything; where one
 * transaction pays us many times, each transfer keeps another part of its senders, so that screening hears of all of them. Of the
 * spent outputs the first ones are enough to tell a rival in all but odd cases, which the node's answer on its fate decides.
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

/** The `place`-th part of `size` items; after the last part the first one again. */
function partOf(items: readonly string[], place: number, size: number): readonly string[] {
  const parts = Math.max(1, Math.ceil(items.length / size));
  const start = (place % parts) * size;
  return items.slice(start, start + size);
}
