import type { MoneroNetworkFacts } from "../../currencies/monero-facts.ts";
import { present } from "../../platform/kernel/assert.ts";
import { atEndOfTurn } from "../../platform/kernel/system-turn.ts";
import {
  type BlockContent,
  type BlockRef,
  type BlockSpends,
  ImpossibleAnswer,
  type OutgoingTransaction,
  type TransactionReceipt,
  type Transfer,
} from "../port.ts";
import { NodeFault } from "../rpc/node-error.ts";
import type { MoneroBlock } from "./block.ts";
import type { AskMonerod } from "./monerod-node.ts";
import { blockWithHash, transactionsAtOnce, transactionsWithIds } from "./questions.ts";
import type { MoneroTransaction } from "./transaction.ts";
import { type ScanTerms, transfersOf } from "./transfers.ts";

export type ContentTerms = ScanTerms & {
  readonly chain: string;
  readonly network: MoneroNetworkFacts;
};

/**
 * What a block delivers to our addresses, and what it spends; null when it is not on the node's best chain. The block's hash and the ids of its
 * transactions are computed from their bytes. Throws `ImpossibleAnswer` for bytes that do not fit, and for a reward that no block may pay.
 */
export async function readContent(
  terms: ContentTerms,
  ask: AskMonerod,
  ref: BlockRef,
  mayBeWatched: (watchKey: string) => boolean,
): Promise<BlockContent | null> {
  const block = await readBlockOf(terms.chain, ask, ref);
  if (block === null) return null;
  const transactions = await readTransactions(ask, block);
  assertReward(terms, block, transactions);
  const transfers: Transfer[] = [];
  for (const transaction of [block.reward, ...transactions]) {
    transfers.push(...transfersOf(terms, transaction).filter(({ to }) => mayBeWatched(to)));
    // A block of hundreds of transactions takes a second; requests are served in between.
    await new Promise<void>(atEndOfTurn);
  }
  return { block: ref, transfers, spends: spendsOf(terms, transactions) };
}

/** What a block spends; null when it is not on the node's best chain. Throws `ImpossibleAnswer` for bytes that do not fit. */
export async function readSpends(
  terms: ContentTerms,
  ask: AskMonerod,
  ref: BlockRef,
): Promise<BlockSpends | null> {
  const block = await readBlockOf(terms.chain, ask, ref);
  return block === null ? null : spendsOf(terms, await readTransactions(ask, block));
}

/** The block with that hash, checked; null when it is not on the node's best chain. */
async function readBlockOf(
  chain: string,
  ask: AskMonerod,
  ref: BlockRef,
): Promise<MoneroBlock | null> {
  const found = await ask(blockWithHash(ref.hash));
  if (found === null) return null;
  const { block } = found;
  const { hash, height, parentHash } = block;
  if (hash !== ref.hash || height !== ref.height || parentHash !== ref.parentHash)
    throw new ImpossibleAnswer(chain, `a node answers block ${hash} at ${height} for ${ref.hash}`);
  return block;
}

/** Receipts of those of the transactions that are in the block; null when it is not on the node's best chain. */
export async function readReceipts(
  chain: string,
  ask: AskMonerod,
  ref: BlockRef,
  txids: readonly string[],
): Promise<readonly TransactionReceipt[] | null> {
  const wanted = new Set(txids);
  const block = wanted.size === 0 ? null : await readBlockOf(chain, ask, ref);
  if (block === null) return wanted.size === 0 ? [] : null;
  const included = block.txids.filter((txid) => wanted.has(txid));
  const transactions = await readTransactions(ask, { hash: block.hash, txids: included });
  return transactions.map(({ feeUnits }, place) => ({
    txid: present(included[place], "a transaction's id"),
    hasSucceeded: true,
    feeUnits,
  }));
}

async function readTransactions(
  ask: AskMonerod,
  { hash, txids }: Pick<MoneroBlock, "hash" | "txids">,
): Promise<readonly MoneroTransaction[]> {
  const transactions: MoneroTransaction[] = [];
  for (let from = 0; from < txids.length; from += transactionsAtOnce) {
    const part = txids.slice(from, from + transactionsAtOnce);
    const found = await transactionsWithIds(ask, part);
    for (const txid of part) {
      const located = found.get(txid);
      // A reorg may have removed the block in between: asked again, the node says so.
      if (located === undefined)
        throw new NodeFault("garbage", `lacks the transaction ${txid} of block ${hash}`);
      transactions.push(located.transaction);
    }
  }
  return transactions;
}

/** The least reward of a block, and that of the very first blocks (src/cryptonote_config.h). */
const leastReward = 600_000_000_000n;
const firstReward = (2n ** 64n - 1n) >> 19n;

/** Amounts of a reward are public and nothing commits to them, so they are compared with what a block may create. */
function assertReward(
  { chain, network }: ContentTerms,
  { height, reward }: MoneroBlock,
  transactions: readonly MoneroTransaction[],
): void {
  const paid = reward.outputs.reduce(
    (sum, { amount }) => (amount.kind === "public" ? sum + amount.units : sum),
    0n,
  );
  const fees = transactions.reduce((sum, { feeUnits }) => sum + feeUnits, 0n);
  const most = (height >= network.leastRewardFrom ? leastReward : firstReward) + fees;
  if (paid > most)
    throw new ImpossibleAnswer(
      chain,
      `block ${height} pays its miner ${paid} units, and may pay ${most}`,
    );
}

/** What the transactions spend is named by key images; only our signer can say which outputs ours belong to. */
function spendsOf(terms: ScanTerms, transactions: readonly MoneroTransaction[]): BlockSpends {
  return {
    sources: () => transactions.flatMap(keyImagesIn),
    transactionsFrom: (sources) =>
      transactions
        .filter((transaction) => keyImagesIn(transaction).some((image) => sources.has(image)))
        .map((transaction) => outgoing(terms, transaction)),
  };
}

export function keyImagesIn({ origin }: MoneroTransaction): readonly string[] {
  return origin.kind === "outputs" ? origin.keyImages : [];
}

/** Whom it pays is hidden, except what it pays to us. */
export function outgoing(terms: ScanTerms, transaction: MoneroTransaction): OutgoingTransaction {
  const { feeUnits, txid } = transaction;
  const payments = transfersOf(terms, transaction).flatMap(({ asset, to }) =>
    asset.kind === "currency" ? [{ to, address: "", ...asset.amount }] : [],
  );
  const claims = keyImagesIn(transaction);
  return { txid, sender: null, claims, payments, feeUnits, hides: terms.currency };
}
