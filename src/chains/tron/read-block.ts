import { type BlockRef, ImpossibleAnswer } from "../port.ts";
import { NodeFault } from "../rpc/node-error.ts";
import type { TronBlock, TronReceipt } from "./answer.ts";
import type { ExecutedTransaction } from "./moves.ts";
import { blockWithId, headerAt, newestHeader, receiptsAt, type View } from "./questions.ts";
import type { AskTron } from "./tron-node.ts";

/** A block's transactions with their receipts. */
export type ExecutedBlock = {
  readonly header: BlockRef;
  readonly executed: readonly ExecutedTransaction[];
};

/**
 * The block with that id and its receipts, from one node; null when it is not on the view's chain. Rejects with `NodeFault` if the
 * node keeps no blocks or receipts of that age, and with `ImpossibleAnswer` if it contradicts itself.
 */
export async function readExecutedBlock(
  chain: string,
  ask: AskTron,
  view: View,
  { height, hash }: Pick<BlockRef, "height" | "hash">,
): Promise<ExecutedBlock | null> {
  const [block, receipts] = await Promise.all([
    ask(blockWithId(view, hash)),
    ask(receiptsAt(view, height)),
  ]);
  if (block === null) {
    await assertHistory(ask, view, height);
    return null;
  }
  const { header } = block;
  if (header.hash !== hash || header.height !== height)
    throw new ImpossibleAnswer(chain, `a node answers block ${header.hash} for ${hash}`);
  const executed = withReceipts(block, receipts);
  for (const { receipt } of executed)
    if (receipt.height !== height)
      throw new ImpossibleAnswer(
        chain,
        `a node places ${receipt.txid} of block ${height} at height ${receipt.height}`,
      );
  return { header, executed };
}

/** Rejects with `NodeFault` for a node without old blocks, which answers as if they did not exist. */
export async function assertHistory(ask: AskTron, view: View, height: number): Promise<void> {
  if ((await ask(headerAt(view, height))) !== null) return;
  const newest = await ask(newestHeader(view));
  if (newest !== null && height <= newest.height)
    throw new NodeFault("denied", `has no block ${height}: it keeps no full history`);
}

/** Joins transactions and receipts: exactly one receipt for each transaction. */
function withReceipts(
  { header, transactions }: TronBlock,
  receipts: readonly TronReceipt[],
): readonly ExecutedTransaction[] {
  if (receipts.length === 0 && transactions.length > 0)
    throw new NodeFault(
      "denied",
      `has no receipts of block ${header.height} (storage.transHistory.switch)`,
    );
  const byTxid = new Map(receipts.map((receipt) => [receipt.txid, receipt]));
  const executed = transactions.flatMap((transaction) => {
    const receipt = byTxid.get(transaction.txid);
    return receipt === undefined ? [] : [{ transaction, receipt }];
  });
  // Receipts are requested by height, so they may belong to another block while the node switches to a fork.
  if (executed.length !== transactions.length || receipts.length !== transactions.length)
    throw new NodeFault("garbage", `answered receipts of another block than ${header.hash}`);
  return executed;
}
