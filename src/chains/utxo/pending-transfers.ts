import type { Transfer } from "../port.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import type { BlockSource } from "./block-source.ts";
import { transfersOf } from "./block-transfers.ts";
import type { UtxoChain } from "./utxo-chain.ts";

/** Transactions per request, so that an abort loses little. */
const chunkLength = 1_000;
/**
 * Transactions whose transfers are cached; Bitcoin's mempool of 300 MB holds about as many. For older ones, only the id is
 * stored.
 */
const keptMax = 250_000;

/**
 * Reads the mempool. Only transactions that are new since the last call are fetched; the cache lives as long as the function.
 * While the node reports no change, it returns the same array.
 */
export function createPendingReader(
  rpc: JsonRpc,
  source: BlockSource,
  chain: UtxoChain,
): (signal: AbortSignal) => Promise<readonly Transfer[]> {
  const known = new Map<string, readonly Transfer[]>();
  let seen: { readonly version: string; readonly transfers: readonly Transfer[] } | null = null;

  return async (signal) => {
    const mempool = await source.mempool(signal);
    const { txids } = mempool;
    const version = `${rpc.currentNode()} ${mempool.version}`;
    if (seen?.version === version) return seen.transfers;
    const present = new Set(txids);
    for (const txid of known.keys()) if (!present.has(txid)) known.delete(txid);
    forgetOldest(known);
    const unknown = txids.filter((txid) => !known.has(txid));
    for (let from = 0; from < unknown.length; from += chunkLength) {
      const chunk = unknown.slice(from, from + chunkLength);
      // Leaves out transactions that have left the mempool in between.
      for (const [txid, transaction] of await source.transactions(chunk, signal))
        known.set(txid, transfersOf(chain, transaction));
    }
    seen = { version, transfers: [...known.values()].flat() };
    return seen.transfers;
  };
}

/** A map preserves insertion order: its first entries are the oldest. */
function forgetOldest(known: Map<string, readonly Transfer[]>): void {
  let excess = known.size - keptMax;
  for (const txid of known.keys()) {
    if (excess <= 0) return;
    known.set(txid, []);
    excess -= 1;
  }
}
