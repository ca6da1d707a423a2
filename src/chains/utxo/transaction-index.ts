import type { JsonRpc } from "../rpc/json-rpc.ts";
import { isMethodNotFound, readFields, readInteger } from "./answer.ts";

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
    if (isMethodNotFound(error)) return null;
    throw error;
  }
}
