import type { BlockRef, Senders, TransactionStatus } from "../port.ts";
import type { CardanoTransaction } from "./block.ts";
import type { CardanoLink } from "./cardano-node.ts";
import { blockOf, heightOf } from "./chain-walk.ts";
import { outputAt, outputsOf, requireIndexed } from "./kupo-matches.ts";
import { isWaiting, readMempool } from "./mempool.ts";
import { type Point, parsePoint } from "./point.ts";

const unknown: TransactionStatus = { kind: "unknown" };
/** Outputs looked up at once. */
const atOnce = 8;

/** The status of a transaction. A conflict is reported only if a block of the node's chain contains the other transaction. */
export async function readTransactionStatus(
  link: CardanoLink,
  txid: string,
  spends: readonly string[],
): Promise<TransactionStatus> {
  if (await isWaiting(link, txid)) return { kind: "pending" };
  const included = await inclusionOf(link, txid);
  if (included !== null) return { kind: "included", height: included.height };
  const rival = await rivalOf(link, txid, spends);
  if (rival === null) return unknown;
  const height = await heightOf(link, rival.at);
  if (height === null) return unknown;
  // It spent them and created nothing that is left: a failed script without a return.
  if (rival.by === txid) return { kind: "included", height };
  return { kind: "conflicted", by: rival.by, height };
}

export type Inclusion = { readonly point: Point; readonly height: number };

/** The block of the node's chain with the transaction, by what it created; null if there is none, or Kupo is on another branch. */
export async function inclusionOf(link: CardanoLink, txid: string): Promise<Inclusion | null> {
  const [output] = await outputsOf(link, txid);
  if (output === undefined) return null;
  const height = await heightOf(link, output.created);
  return height === null ? null : { point: output.created, height };
}

/** What spent one of these outputs in a block. */
export async function rivalOf(
  link: CardanoLink,
  txid: string,
  spends: readonly string[],
): Promise<{ readonly at: Point; readonly by: string | null } | null> {
  let own: { readonly at: Point; readonly by: string | null } | null = null;
  for (const claim of spends) {
    const spent = (await outputAt(link, claim))?.spent ?? null;
    if (spent === null) continue;
    if (spent.by !== txid) return spent;
    own = spent;
  }
  return own;
}

/** Whose outputs each transaction spends, by its id; transactions that the node does not show are left out. */
export async function readSenders(
  link: CardanoLink,
  txids: readonly string[],
  block: BlockRef | null,
): Promise<ReadonlyMap<string, Senders>> {
  const asked = new Set(txids);
  const transactions = await transactionsIn(link, block);
  const senders = new Map<string, Senders>();
  for (const { txid, claims } of transactions) {
    if (!asked.has(txid)) continue;
    const addresses = await addressesOf(link, claims);
    senders.set(txid, { addresses: [...new Set(addresses)], claims });
  }
  return senders;
}

async function transactionsIn(
  link: CardanoLink,
  block: BlockRef | null,
): Promise<readonly CardanoTransaction[]> {
  if (block === null) return await readMempool(link);
  const point = parsePoint(block.hash);
  const found = point === null ? null : await blockOf(link, point);
  if (found === null) return [];
  await requireIndexed(link, found.point.slot);
  return found.transactions;
}

/** Outputs older than the index are left out, as far as the node shows senders. */
async function addressesOf(
  link: CardanoLink,
  claims: readonly string[],
): Promise<readonly string[]> {
  const addresses: string[] = [];
  for (let from = 0; from < claims.length; from += atOnce) {
    const part = claims.slice(from, from + atOnce);
    const found = await Promise.all(part.map((claim) => outputAt(link, claim)));
    addresses.push(...found.flatMap((output) => output?.address ?? []));
  }
  return addresses;
}
