import type { Executor } from "../../platform/db/database.ts";
import type { OwnArrival, StrayTransfer, WatchedTransfer } from "../block-sink.ts";
import type { ChainAdapter } from "../chain-adapter.ts";
import type { BlockContent, BlockRef, Senders, Transfer, TransfersByReceiver } from "../port.ts";
import type { CatchUpFilter } from "./catch-up-filter.ts";
import { receivedUnder } from "./received-under.ts";
import { watchedAmong } from "./watched-address.store.ts";

export type MatchedTransfers = {
  readonly hits: readonly WatchedTransfer[];
  /** Transfers to the deployment's own addresses; their senders are not read. */
  readonly arrivals: readonly OwnArrival[];
  /** Transfers in a block to the account that deposits share, under no tag of ours. Nobody waits for pending ones. */
  readonly strays: readonly StrayTransfer[];
  /** Transactions that pay deposits and left the mempool or the chain before their senders could be read. */
  readonly withoutSenders: readonly string[];
};

/**
 * The transfers that pay our addresses, with their senders. `block` is the block they are in, null for pending ones; `filter`
 * only for a block that it covers. Throws `Unavailable` with the node.
 * No payment is missed because its address is issued concurrently: an address is shown only after the transaction that issued it
 * has committed, so it is paid after that commit, and these transfers were read after that payment. The statement begins after
 * they were read; under read committed it sees everything committed before, including the address. So: transfers first, match
 * second, on the primary.
 */
export async function matchTransfers(
  db: Executor,
  { keyspace, reader, addressing }: Pick<ChainAdapter, "keyspace" | "reader" | "addressing">,
  found: Pick<BlockContent, "transfers" | "byReceiver">,
  block: BlockRef | null,
  signal: AbortSignal,
  filter: CatchUpFilter | null = null,
): Promise<MatchedTransfers> {
  const transfers = found.byReceiver ?? listed(found.transfers);
  const distinct = [...new Set(transfers.keys)];
  const keys = filter === null ? distinct : distinct.filter(filter.mayBeWatched);
  const watched = new Map(
    (await watchedAmong(db, keyspace, keys)).map((address) => [address.watchKey, address]),
  );
  const tagOfStray = new Map<string, string | null>();
  for (const key of block === null ? [] : keys) {
    const under = watched.has(key) ? null : receivedUnder(addressing, key);
    if (under !== null) tagOfStray.set(key, under.tag);
  }
  if (watched.size === 0 && tagOfStray.size === 0) return nothing;
  const ours = transfers.to(new Set([...watched.keys(), ...tagOfStray.keys()]));
  const stray = ours.flatMap((transfer) => {
    const tag = tagOfStray.get(transfer.to);
    return tag === undefined ? [] : [{ transfer, tag }];
  });
  const paying = ours.flatMap((transfer) => {
    const address = watched.get(transfer.to);
    return address === undefined ? [] : [{ transfer, address }];
  });
  const foreign = [...paying.filter(({ address }) => address.kind === "deposit"), ...stray];
  const txids = [...new Set(foreign.map(({ transfer }) => transfer.key.txid))];
  const known = txids.length === 0 ? noOrigins : await reader.senders(txids, block, signal);
  const hits: WatchedTransfer[] = [];
  const arrivals: OwnArrival[] = [];
  for (const { transfer, address } of paying) {
    const { addressType, keyIndex } = address;
    if (address.kind === "own") {
      arrivals.push({ transfer, purpose: address.purpose, addressType, keyIndex });
      continue;
    }
    const senders = known.get(transfer.key.txid);
    if (senders === undefined) continue;
    const { accountId, walletId, depositId } = address;
    hits.push({ transfer, senders, accountId, walletId, depositId, addressType, keyIndex });
  }
  const strays = stray.flatMap(({ transfer, tag }) => {
    const senders = known.get(transfer.key.txid);
    return senders === undefined ? [] : [{ transfer, tag, senders }];
  });
  return { hits, arrivals, strays, withoutSenders: txids.filter((txid) => !known.has(txid)) };
}

function listed(transfers: readonly Transfer[]): TransfersByReceiver {
  return {
    keys: transfers.map(({ to }) => to),
    to: (keys) => transfers.filter(({ to }) => keys.has(to)),
  };
}

const nothing: MatchedTransfers = { hits: [], arrivals: [], strays: [], withoutSenders: [] };

const noOrigins: ReadonlyMap<string, Senders> = new Map();
