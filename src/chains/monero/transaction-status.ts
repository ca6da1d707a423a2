import type { Senders, TransactionStatus, UnspentOutputs } from "../port.ts";
import type { AskMonerod } from "./monerod-node.ts";
import {
  networkInfo,
  statesOfKeyImages,
  transactionsAtOnce,
  transactionsWithIds,
} from "./questions.ts";
import { keyImagesIn } from "./read-content.ts";

/** What the transactions spend. Who sent them is hidden. Those that the node does not have are left out. */
export async function readSenders(
  ask: AskMonerod,
  txids: readonly string[],
): Promise<ReadonlyMap<string, Senders>> {
  const senders = new Map<string, Senders>();
  for (let from = 0; from < txids.length; from += transactionsAtOnce) {
    const found = await transactionsWithIds(ask, txids.slice(from, from + transactionsAtOnce));
    for (const [txid, { transaction }] of found)
      senders.set(txid, { addresses: [], claims: keyImagesIn(transaction) });
  }
  return senders;
}

/**
 * The status of a transaction. `spends` are its key images: once a block has spent one and the node does not have the transaction, another one
 * did.
 */
export async function readTransactionStatus(
  ask: AskMonerod,
  txid: string,
  spends: readonly string[],
): Promise<TransactionStatus> {
  const locate = async (): Promise<TransactionStatus | null> => {
    const located = (await transactionsWithIds(ask, [txid])).get(txid);
    if (located === undefined) return null;
    const { height } = located;
    return height === null ? { kind: "pending" } : { kind: "included", height };
  };
  const status = await locate();
  if (status !== null) return status;
  const keyImages = spends.filter(isKeyImage);
  const states = keyImages.length === 0 ? [] : await ask(statesOfKeyImages(keyImages));
  if (!states.includes("spent")) return { kind: "unknown" };
  // A block may have brought it between the two answers.
  return (await locate()) ?? { kind: "conflicted", by: null, height: null };
}

function isKeyImage(claim: string): boolean {
  return /^[0-9a-f]{64}$/.test(claim);
}

/**
 * Which of our outputs are unspent on the best chain; null when the tip changed in between. Each is named by its key image, or, while that is
 * unknown, by `txid:index`: then it counts as unspent while a block has its transaction, since nothing of ours can have spent it.
 */
export async function readUnspentOutputs(
  ask: AskMonerod,
  outputs: readonly string[],
): Promise<UnspentOutputs | null> {
  const before = await ask(networkInfo);
  const keyImages = outputs.filter(isKeyImage);
  const states = keyImages.length === 0 ? [] : await ask(statesOfKeyImages(keyImages));
  const unspent = keyImages.filter((_, place) => states[place] !== "spent");
  const unnamed = outputs.filter((output) => !isKeyImage(output));
  const included = await includedAmong(ask, [...new Set(unnamed.map(txidOf))]);
  const after = await ask(networkInfo);
  if (before.tip !== after.tip) return null;
  const outpoints = [...unspent, ...unnamed.filter((output) => included.has(txidOf(output)))];
  return { atHash: after.tip, outpoints: new Set(outpoints) };
}

/** Those of the transactions that are in a block. */
async function includedAmong(
  ask: AskMonerod,
  txids: readonly string[],
): Promise<ReadonlySet<string>> {
  const included = new Set<string>();
  for (let from = 0; from < txids.length; from += transactionsAtOnce) {
    const found = await transactionsWithIds(ask, txids.slice(from, from + transactionsAtOnce));
    for (const [txid, { height }] of found) if (height !== null) included.add(txid);
  }
  return included;
}

function txidOf(output: string): string {
  return output.split(":", 1)[0] ?? "";
}
