import type { BlockRef } from "../port.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import { absentAsNull, readFields, readText } from "./answer.ts";
import { headerByHash } from "./headers.ts";

/**
 * The best chain's block that contains the transaction; null where the node knows none. An index still returns a transaction
 * whose block was orphaned, with that block's hash, so the block itself is requested too. A node without an index finds a mined
 * transaction only if the request names its block.
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
