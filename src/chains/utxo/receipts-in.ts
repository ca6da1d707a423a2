import type { BlockRef, TransactionReceipt } from "../port.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import { type ChainRules, readTxids } from "./read-block.ts";

/**
 * Our own transactions in the block; null when the block is unknown or not on the best chain. A transaction of this family does
 * exactly what it states or is in no block, so the fee is the draft's.
 */
export async function readReceiptsIn(
  rpc: JsonRpc,
  rules: ChainRules,
  txids: readonly string[],
  block: BlockRef,
  signal: AbortSignal,
): Promise<readonly TransactionReceipt[] | null> {
  if (txids.length === 0) return [];
  const included = await readTxids(rpc, rules, block, signal);
  if (included === null) return null;
  const requested = new Set(txids);
  return included
    .filter((txid) => requested.has(txid))
    .map((txid) => ({ txid, hasSucceeded: true, feeUnits: null }));
}
