import type { BlockRef, TransactionReceipt } from "../port.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import { absentAsNull, readFields, readInteger, readList, readText } from "./answer.ts";

/**
 * Which of our transactions the block holds; null when it is unknown or beside the best chain. What one burnt, its draft
 * says: a transaction of this family does what it says, or is in no block.
 */
export async function minedAmong(
  rpc: JsonRpc,
  txids: readonly string[],
  block: BlockRef,
  signal: AbortSignal,
): Promise<readonly TransactionReceipt[] | null> {
  if (txids.length === 0) return [];
  const answer = await absentAsNull(rpc.call<unknown>("getblock", [block.hash, 1], signal));
  if (answer === null) return null;
  const fields = readFields(answer);
  if (readInteger(fields["confirmations"]) < 0) return null;
  const held = new Set(readList(fields["tx"]).map(readText));
  return [...new Set(txids)]
    .filter((txid) => held.has(txid))
    .map((txid) => ({ txid, hasSucceeded: true, feeUnits: null }));
}
