import type { BlockRef, Senders, TransactionStatus } from "../port.ts";
import type { AskAlgod } from "./algod-node.ts";
import type { ExecutedTransaction } from "./block.ts";
import type { Blocks } from "./blocks.ts";
import { transactionWithId } from "./questions.ts";

/** Included once a block has it. Nothing replaces a transaction: it is included before it expires, or never. */
export async function readTransactionStatus(
  ask: AskAlgod,
  txid: string,
): Promise<TransactionStatus> {
  const found = await ask(transactionWithId(txid));
  return found.kind === "included"
    ? { kind: "included", height: found.round }
    : { kind: found.kind };
}

/** Who sent each transaction, by its id; those that the node does not know are left out. */
export async function readSenders(
  ask: AskAlgod,
  blocks: Blocks,
  txids: readonly string[],
  block: BlockRef | null,
): Promise<ReadonlyMap<string, Senders>> {
  const senders = new Map<string, Senders>();
  for (const txid of new Set(txids)) {
    const known = block === null ? await ask(transactionWithId(txid)) : null;
    if (known?.kind === "pending") senders.set(txid, { addresses: [known.sender], claims: [] });
    const round = block?.height ?? (known?.kind === "included" ? known.round : null);
    const found = round === null ? null : await blocks.at(ask, round);
    if (found === null || (block !== null && found.header.hash !== block.hash)) continue;
    const transaction = found.transactions.find((one) => one.txid === txid);
    if (transaction !== undefined) senders.set(txid, sendersOf(transaction));
  }
  return senders;
}

/** Whose money it was comes first: an application pays from its own account, and a clawback takes from another. */
function sendersOf({ sender, moves }: ExecutedTransaction): Senders {
  return { addresses: [...new Set([...moves.map(({ from }) => from), sender])], claims: [] };
}
