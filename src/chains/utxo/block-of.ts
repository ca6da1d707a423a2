import type { BlockRef } from "../port.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import { absentAsNull, readFields, readText } from "./answer.ts";
import { headerByHash } from "./headers.ts";

/**
 * The block of the best chain that holds the transaction; null where the node knows none. An index still answers for a
 * transaction whose block was orphaned, with that block's hash, so the block is asked for by itself. A node without an index
 * answers for no transaction of a block unless it is told which.
 */
export async function blockOf(
  rpc: JsonRpc,
  txid: string,
  signal: AbortSignal,
): Promise<BlockRef | null> {
  const result = await absentAsNull(rpc.call<unknown>("getrawtransaction", [txid, true], signal));
  if (result === null) return null;
  const { blockhash } = readFields(result) as { blockhash?: unknown };
  return blockhash === undefined ? null : await headerByHash(rpc, readText(blockhash), signal);
}
