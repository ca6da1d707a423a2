import type { JsonRpc } from "../rpc/json-rpc.ts";
import { RpcError } from "../rpc/node-error.ts";
import { isMethodNotFound, readFields, readInteger } from "./answer.ts";

/** No transaction's id. */
const nobodysId = "f".repeat(64);
/** What a node with a complete index answers about an id that is nowhere. */
const deniesEverywhere = /no such mempool or blockchain transaction/i;

/** The height up to which the node can find any transaction by its id (`-txindex`); null for a node that cannot. */
export async function transactionIndexHeight(
  rpc: JsonRpc,
  signal: AbortSignal,
): Promise<number | null> {
  try {
    const indexes = readFields(await rpc.call("getindexinfo", ["txindex"], signal));
    if (indexes["txindex"] === undefined) return null;
    const index = readFields(indexes["txindex"]);
    return index["synced"] === true ? readInteger(index["best_block_height"]) : null;
  } catch (error) {
    if (isMethodNotFound(error)) return await heightByDenial(rpc, signal);
    throw error;
  }
}

/**
 * Nodes before Bitcoin Core 0.21 do not describe their indexes, but deny an unknown transaction in other words with an index than
 * without. Their index is written with each block (0.16 and earlier), or they wait for it before they deny.
 */
async function heightByDenial(rpc: JsonRpc, signal: AbortSignal): Promise<number | null> {
  const height = readInteger(await rpc.call("getblockcount", [], signal));
  try {
    await rpc.call("getrawtransaction", [nobodysId, false], signal);
    return null;
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return deniesEverywhere.test(error.message) ? height : null;
  }
}
