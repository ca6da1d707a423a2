import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { BlockRef, TransactionReceipt } from "../port.ts";
import type { EvmNode } from "./evm-node.ts";
import { callOf, headerByNumber, receiptOf, txidsOf } from "./questions.ts";
import { type OwnTokens, toTransactionReceipt } from "./transaction-receipt.ts";

/**
 * Our own transactions in the block, their fees and the outcome of their token transfers; null when the block is not on the
 * node's best chain. The block's own list decides which ones: otherwise a receipt that a node has not indexed yet would look like
 * a missing transaction.
 */
export async function readReceiptsIn(
  node: EvmNode,
  tokens: OwnTokens,
  txids: readonly string[],
  block: BlockRef,
  signal: AbortSignal,
): Promise<readonly TransactionReceipt[] | null> {
  if (txids.length === 0) return [];
  const [mined, best] = await node.askAll(
    [txidsOf(block.hash), headerByNumber(block.height)],
    signal,
  );
  if (mined === null || best?.hash !== block.hash) return null;
  const held = new Set(mined);
  const own = [...new Set(txids)].filter((txid) => held.has(txid));
  if (own.length === 0) return [];
  const [receipts, calls] = await Promise.all([
    node.askAll(own.map(receiptOf), signal),
    node.askAll(own.map(callOf), signal),
  ]);
  const spends: TransactionReceipt[] = [];
  for (const [position, txid] of own.entries()) {
    const receipt = receipts[position] ?? null;
    if (receipt === null) throw new Unavailable(node.chain, `no receipt of ${txid} yet`);
    if (receipt.blockHash !== block.hash) return null;
    const call = calls[position] ?? null;
    if (call === null) throw new Unavailable(node.chain, `no transaction ${txid} yet`);
    spends.push(toTransactionReceipt(receipt, call, tokens));
  }
  return spends;
}
