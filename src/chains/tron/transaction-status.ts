import type { Senders, TransactionStatus } from "../port.ts";
import type { PendingBlocks } from "./pending-blocks.ts";
import { isInPool, newestHeader, receiptOf, transactionWithId } from "./questions.ts";
import type { AskTron, TronNode } from "./tron-node.ts";

/**
 * The status of a transaction: included once its block is solid, pending in a newer block or in the node's pool. Nothing replaces a
 * transaction, since accounts have no sequence: it is included before it expires, or never.
 */
export async function readTransactionStatus(
  node: TronNode,
  txid: string,
  signal: AbortSignal,
): Promise<TransactionStatus> {
  return node.consult(async (ask) => {
    // In this order: what becomes solid between the questions is reported as pending, never as unknown.
    const solid = await ask(newestHeader("walletsolidity"));
    const receipt = await ask(receiptOf(txid));
    if (receipt === null) return { kind: (await ask(isInPool(txid))) ? "pending" : "unknown" };
    return solid !== null && receipt.height <= solid.height
      ? { kind: "included", height: receipt.height }
      : { kind: "pending" };
  }, signal);
}

/** Transactions per request. */
const questionsAtOnce = 16;

/** The accounts that signed, by transaction id; transactions that the node does not know are left out. */
export async function readSenders(
  node: TronNode,
  pendingBlocks: PendingBlocks | null,
  txids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Senders>> {
  const requested = new Set(txids);
  const owners = new Map<string, string>();
  if (pendingBlocks !== null && requested.size > 0) {
    for (const { executed } of await pendingBlocks(signal)) {
      for (const { transaction } of executed) {
        if (requested.has(transaction.txid) && transaction.owner !== null)
          owners.set(transaction.txid, transaction.owner);
      }
    }
  }
  const missing = [...requested].filter((txid) => !owners.has(txid));
  await node.consult(async (ask) => {
    for (let from = 0; from < missing.length; from += questionsAtOnce) {
      const part = missing.slice(from, from + questionsAtOnce);
      for (const [txid, owner] of await Promise.all(part.map((one) => ownerOf(ask, one))))
        if (owner !== null) owners.set(txid, owner);
    }
  }, signal);
  return new Map([...owners].map(([txid, owner]) => [txid, { addresses: [owner], claims: [] }]));
}

async function ownerOf(
  ask: AskTron,
  txid: string,
): Promise<readonly [txid: string, owner: string | null]> {
  const transaction = await ask(transactionWithId(txid));
  return [txid, transaction?.owner ?? null];
}
