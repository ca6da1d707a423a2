import type { Logger } from "../../platform/kernel/logger.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { BlockRef } from "../port.ts";
import { AnswerTooLarge } from "../rpc/node-error.ts";
import type { EvmReceipt, EvmTransaction } from "./answer.ts";
import { type EvmNode, isTooMuch, refused } from "./evm-node.ts";
import { receiptOf } from "./questions.ts";

/** EIP-2718 types up to this one are signed by their sender; rollups use higher ones for unsigned transactions. */
export const lastSignedType = 4;

export type ExecutedTransaction = {
  readonly transaction: EvmTransaction;
  readonly receipt: EvmReceipt;
};

/** The node that is asked for receipts, and the logger for unreadable ones. */
export type ReceiptReading = { readonly node: EvmNode; readonly logger: Logger };

/**
 * Joins transactions with their receipts and requests missing ones; null when the receipts belong to another block. A receipt
 * that is too large even alone (a million logs) is no customer payment: its transaction is left out and logged.
 */
export async function withReceipts(
  reading: ReceiptReading,
  header: BlockRef,
  transactions: readonly EvmTransaction[],
  known: readonly EvmReceipt[],
  signal: AbortSignal,
): Promise<readonly ExecutedTransaction[] | null> {
  const byTxid = new Map<string, EvmReceipt | "unreadable">(
    known.map((receipt) => [receipt.txid, receipt]),
  );
  const missing = transactions.map(({ txid }) => txid).filter((txid) => !byTxid.has(txid));
  for (const [txid, receipt] of await askForReceipts(reading, missing, signal)) {
    byTxid.set(txid, receipt);
  }
  const ran: ExecutedTransaction[] = [];
  for (const transaction of transactions) {
    const receipt = byTxid.get(transaction.txid);
    if (receipt === "unreadable") continue;
    if (receipt !== undefined) {
      if (receipt.blockHash !== header.hash) return null;
      ran.push({ transaction, receipt });
    } else if (isSigned(transaction)) {
      throw new Unavailable(reading.node.chain, `no receipt of ${transaction.txid} yet`);
    }
  }
  return ran;
}

/**
 * Transactions that a chain writes into its own blocks (Polygon's state sync from address 0, rollups' own types) may lack
 * receipts and traces.
 */
export function isSigned(transaction: EvmTransaction): boolean {
  return transaction.type <= lastSignedType && BigInt(transaction.from) !== 0n;
}

type Found = readonly [txid: string, receipt: EvmReceipt | "unreadable"];

/** Requests receipts in batches or, where a batch is too large, one by one. Receipts that the node does not have are left out. */
async function askForReceipts(
  reading: ReceiptReading,
  txids: readonly string[],
  signal: AbortSignal,
): Promise<readonly Found[]> {
  if (txids.length === 0) return [];
  const { node } = reading;
  try {
    const outcomes = await node.askEach(txids.map(receiptOf), signal);
    const refusal = outcomes.flatMap((outcome) =>
      "refusal" in outcome ? [outcome.refusal] : [],
    )[0];
    if (refusal === undefined) {
      return outcomes.flatMap((outcome): readonly Found[] =>
        "answer" in outcome && outcome.answer !== null
          ? [[outcome.answer.txid, outcome.answer]]
          : [],
      );
    }
    if (!isTooMuch(refusal)) throw refused(node.chain, "eth_getTransactionReceipt", refusal);
  } catch (error) {
    if (!(error instanceof AnswerTooLarge)) throw error;
  }
  const found: Found[] = [];
  for (const txid of txids) {
    const receipt = await askForReceipt(reading, txid, signal);
    if (receipt !== null) found.push([txid, receipt]);
  }
  return found;
}

async function askForReceipt(
  { node, logger }: ReceiptReading,
  txid: string,
  signal: AbortSignal,
): Promise<EvmReceipt | "unreadable" | null> {
  try {
    const [outcome] = await node.askEach([receiptOf(txid)], signal);
    if ("answer" in outcome) return outcome.answer;
    if (!isTooMuch(outcome.refusal))
      throw refused(node.chain, "eth_getTransactionReceipt", outcome.refusal);
  } catch (error) {
    if (!(error instanceof AnswerTooLarge)) throw error;
  }
  logger.error("transaction not read: its receipt is too large", { txid });
  return "unreadable";
}
