import type { Transfer } from "../port.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import { readFields, readInteger, readList, readText, resultOrNull } from "./answer.ts";
import { transfersOfTransaction } from "./block-transfers.ts";
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
  chain: UtxoChain,
): (signal: AbortSignal) => Promise<readonly Transfer[]> {
  const known = new Map<string, readonly Transfer[]>();
  let seen: { readonly version: string; readonly transfers: readonly Transfer[] } | null = null;

  return async (signal) => {
    const { txids, sequence } = await readMempool(rpc, signal);
    const version = `${rpc.currentNode()} ${sequence}`;
    if (seen?.version === version) return seen.transfers;
    const present = new Set(txids);
    for (const txid of known.keys()) if (!present.has(txid)) known.delete(txid);
    forgetOldest(known);
    const unknown = txids.filter((txid) => !known.has(txid));
    for (let from = 0; from < unknown.length; from += chunkLength) {
      const chunk = unknown.slice(from, from + chunkLength);
      for (const [txid, transfers] of await fetchTransfers(rpc, chain, chunk, signal))
        known.set(txid, transfers);
    }
    seen = { version, transfers: [...known.values()].flat() };
    return seen.transfers;
  };
}

/** Ids of all pending transactions, and a number that changes with them. */
export async function readMempool(
  rpc: JsonRpc,
  signal: AbortSignal,
): Promise<{ readonly txids: readonly string[]; readonly sequence: number }> {
  const fields = readFields(await rpc.call("getrawmempool", [false, true], signal));
  return {
    txids: readList(fields["txids"]).map(readText),
    sequence: readInteger(fields["mempool_sequence"]),
  };
}

/** Leaves out transactions that have left the mempool in between. */
async function fetchTransfers(
  rpc: JsonRpc,
  chain: UtxoChain,
  txids: readonly string[],
  signal: AbortSignal,
): Promise<readonly (readonly [string, readonly Transfer[]])[]> {
  const calls = txids.map((txid) => ({ method: "getrawtransaction", params: [txid, false] }));
  const answers = await rpc.batch(calls, signal);
  return answers.flatMap((answer, index) => {
    const hex = resultOrNull(answer);
    const txid = txids[index];
    if (hex === null || txid === undefined) return [];
    return [[txid, transfersOfTransaction(chain, Buffer.from(readText(hex), "hex"), txid)]];
  });
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
