import type { BlockRef, Senders, TransactionStatus } from "../port.ts";
import { claimsOf } from "./ledger-content.ts";
import { accountIn, ledgerWithHash, transactionWithId } from "./questions.ts";
import type { AskRippled, RippledNode } from "./rippled-node.ts";
import type { ExecutedTransaction } from "./transaction.ts";

/** The status of a transaction: included once its ledger is validated, conflicted once its sequence was used by another. */
export async function readTransactionStatus(
  node: RippledNode,
  txid: string,
  claims: readonly string[],
  signal: AbortSignal,
): Promise<TransactionStatus> {
  return await node.consult(async (ask) => {
    const found = await ask(transactionWithId(txid));
    if (found?.kind === "validated") return { kind: "included", height: found.height };
    if (!(await isSequenceUsed(ask, claims)))
      return { kind: found === null ? "unknown" : "pending" };
    // Asked again: it may have been validated in between.
    const again = await ask(transactionWithId(txid));
    return again?.kind === "validated"
      ? { kind: "included", height: again.height }
      : { kind: "conflicted", by: null, height: null };
  }, signal);
}

/** Whether a transaction in a validated ledger has used one of the sequences. */
async function isSequenceUsed(ask: AskRippled, claims: readonly string[]): Promise<boolean> {
  for (const claim of claims) {
    const [account = "", sequence = ""] = claim.split("#");
    const root = await ask(accountIn("validated", account));
    if (root !== null && root.sequence > Number(sequence)) return true;
  }
  return false;
}

/** Who sent each transaction, by its id; those that the node does not know are left out. */
export async function readSenders(
  node: RippledNode,
  txids: readonly string[],
  block: BlockRef | null,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Senders>> {
  const requested = new Set(txids);
  if (requested.size === 0) return new Map();
  return await node.consult(async (ask) => {
    if (block !== null) {
      const ledger = await ask(ledgerWithHash(block.hash));
      const among = (ledger?.executed ?? []).filter(({ txid }) => requested.has(txid));
      return new Map(among.map((one) => [one.txid, sendersOf(one)]));
    }
    const senders = new Map<string, Senders>();
    for (const txid of requested) {
      const found = await ask(transactionWithId(txid));
      if (found?.kind === "validated") senders.set(txid, sendersOf(found.executed));
      else if (found !== null)
        senders.set(txid, { addresses: [found.account], claims: claimsOf(found) });
    }
    return senders;
  }, signal);
}

/** Whose money it was comes first: a check, an escrow or a channel may be paid out by a transaction of anyone. */
function sendersOf(transaction: ExecutedTransaction): Senders {
  const owners = transaction.held.map(({ owner }) => owner);
  return {
    addresses: [...new Set([...owners, transaction.account])],
    claims: claimsOf(transaction),
  };
}
