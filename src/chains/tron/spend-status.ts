import type { ListedTokens } from "../../currencies/currency.ts";
import { secondsBetween } from "../../platform/kernel/clock.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { Draft, SpendStatus } from "../paying-port.ts";
import type { BlockRef } from "../port.ts";
import { validitySeconds } from "./draft-payment.ts";
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

/** For how long before its end a transaction of ours may have been valid at most, and some more. */
const searchedSeconds = 2 * validitySeconds;
/** No two blocks are closer to each other. */
const blockSeconds = 3;

/**
 * See `ChainWriter.isMissingUpTo`. False if the node's solid chain has not reached the block, or the node keeps none from before the transaction
 * was valid.
 */
export async function isMissingUpTo(
  node: TronNode,
  txid: string,
  { validity }: Pick<Draft, "validity">,
  { height, hash }: Pick<BlockRef, "height" | "hash">,
  signal: AbortSignal,
): Promise<boolean> {
  return await node.consult(async (ask) => {
    const block = await ask(headerAt("walletsolidity", height));
    if (block?.hash !== hash || validity?.kind !== "time") return false;
    const seconds = secondsBetween(validity.until, block.time) + searchedSeconds;
    const before = height - Math.ceil(Math.max(0, seconds) / blockSeconds);
    const [older, transaction, receipt] = await Promise.all([
      ask(headerAt("walletsolidity", Math.max(1, before))),
      ask(transactionWithId(txid)),
      ask(receiptOf(txid)),
    ]);
    if (receipt !== null) return receipt.height > height;
    // Nodes may keep transactions without their receipts (`storage.transHistory.switch`).
    return older !== null && transaction === null;
  }, signal);
}
