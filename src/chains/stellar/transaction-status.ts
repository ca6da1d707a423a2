import type { BlockRef, Senders, TransactionStatus } from "../port.ts";
import { native } from "./asset.ts";
import { holdingKey } from "./entries.ts";
import type { ExecutedTransaction } from "./executed-ledger.ts";
import { claimsOf } from "./ledger-content.ts";
import type { Ledgers } from "./ledgers.ts";
import { entriesOf, transactionWithId } from "./questions.ts";
import type { AskStellar } from "./stellar-node.ts";

/** Included once a closed ledger has it, conflicted once its sequence was used by another. */
export async function readTransactionStatus(
  ask: AskStellar,
  txid: string,
  claims: readonly string[],
): Promise<TransactionStatus> {
  const found = await ask(transactionWithId(txid));
  if (found.height !== null) return { kind: "included", height: found.height };
  if (!(await isSequenceUsed(ask, claims))) return { kind: "unknown" };
  // Asked again: its ledger may have closed in between.
  const again = await ask(transactionWithId(txid));
  return again.height === null
    ? { kind: "conflicted", by: null, height: null }
    : { kind: "included", height: again.height };
}

/** Whether a closed ledger has a transaction with one of the sequences, or a later one. */
export async function isSequenceUsed(ask: AskStellar, claims: readonly string[]): Promise<boolean> {
  for (const claim of claims) {
    const [account = "", sequence = ""] = claim.split("#");
    const { entries } = await ask(entriesOf([holdingKey(account, native)]));
    const [entry] = entries;
    if (entry?.type === "account" && entry.account.seqNum >= BigInt(sequence)) return true;
  }
  return false;
}

/** Who sent each transaction, by its id; those that the node does not know are left out. */
export async function readSenders(
  ask: AskStellar,
  ledgers: Ledgers,
  txids: readonly string[],
  block: BlockRef | null,
): Promise<ReadonlyMap<string, Senders>> {
  const senders = new Map<string, Senders>();
  for (const txid of new Set(txids)) {
    const height = block?.height ?? (await ask(transactionWithId(txid))).height;
    const ledger = height === null ? null : await ledgers.at(ask, height);
    if (ledger === null || (block !== null && ledger.header.hash !== block.hash)) continue;
    const found = ledger.transactions.find((one) => one.txid === txid || one.innerTxid === txid);
    if (found !== undefined) senders.set(txid, sendersOf(found));
  }
  return senders;
}

/** Whose money it was comes first: an operation may take it from another account than the transaction's. */
function sendersOf(transaction: ExecutedTransaction): Senders {
  const { source, operations } = transaction;
  const owners = operations.map((operation) => operation.source ?? source);
  return { addresses: [...new Set([...owners, source])], claims: claimsOf(transaction) };
}
