import type { ListedTokens } from "../../currencies/currency.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { SpendStatus } from "../paying-port.ts";
import type { BlockRef } from "../port.ts";
import { headerAt, isInPool, newestHeader, receiptOf, transactionWithId } from "./questions.ts";
import { toTransactionReceipt } from "./receipts-in.ts";
import type { TronNode } from "./tron-node.ts";

/**
 * The status of one of our transactions: mined once its block is solid, pending in a newer block or in the node's pool. Nothing can
 * conflict with it, since accounts number no transactions.
 */
export async function readSpendStatus(
  node: TronNode,
  listed: ListedTokens,
  txid: string,
  signal: AbortSignal,
): Promise<SpendStatus> {
  return await node.consult(async (ask) => {
    // In this order: what becomes solid between the questions is pending, never unknown.
    const solid = await ask(newestHeader("walletsolidity"));
    const receipt = await ask(receiptOf(txid));
    if (receipt === null) return { kind: (await ask(isInPool(txid))) ? "pending" : "unknown" };
    if (solid === null || receipt.height > solid.height) return { kind: "pending" };
    const [block, transaction] = await Promise.all([
      ask(headerAt("walletsolidity", receipt.height)),
      ask(transactionWithId(txid)),
    ]);
    if (block === null || transaction === null)
      throw new Unavailable(node.chain, `the node has a receipt of ${txid} but not its block`);
    return { kind: "mined", block, ...toTransactionReceipt({ transaction, receipt }, listed) };
  }, signal);
}

/** An hour, which no transaction of ours outlives. */
const blocksCovered = 1_200;

/**
 * Whether the node's solid chain contains the block, and the transaction is in none of its blocks up to that one. False if the
 * node cannot tell: it has not reached the block, or keeps no blocks of the hour before, in which the transaction was valid.
 */
export async function isMissingUpTo(
  node: TronNode,
  txid: string,
  { height, hash }: Pick<BlockRef, "height" | "hash">,
  signal: AbortSignal,
): Promise<boolean> {
  return await node.consult(async (ask) => {
    const block = await ask(headerAt("walletsolidity", height));
    if (block?.hash !== hash) return false;
    const [older, transaction, receipt] = await Promise.all([
      ask(headerAt("walletsolidity", Math.max(1, height - blocksCovered))),
      ask(transactionWithId(txid)),
      ask(receiptOf(txid)),
    ]);
    if (receipt !== null) return receipt.height > height;
    // Nodes may keep transactions without their receipts (`storage.transHistory.switch`).
    return older !== null && transaction === null;
  }, signal);
}
