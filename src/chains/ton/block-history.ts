import type { TonNetworkKind } from "../../currencies/ton-address.ts";
import { type BlockRef, ImpossibleAnswer } from "../port.ts";
import { NodeFault } from "../rpc/node-error.ts";
import { readHistory, walkBack } from "./history.ts";
import { type AccountState, accountState, blockAt, type TransactionRef } from "./questions.ts";
import { accountIdOf, blocksBetween, newestBlockOf, transactionsIn } from "./shard-blocks.ts";
import type { AskToncenter } from "./toncenter-node.ts";
import type { ExecutedTransaction } from "./transaction.ts";

/** What an account did in a masterchain block. */
export type BlockHistory = {
  /** Its transactions between its states before and after the block, oldest first. */
  readonly executed: readonly ExecutedTransaction[];
  /** Its newest transactions in those two states. */
  readonly before: TransactionRef;
  readonly last: TransactionRef;
};

/** Reads what an account did in a masterchain block. Null if the node has another block at that height. */
export type ReadBlockHistory = (
  ask: AskToncenter,
  account: string,
  block: Pick<BlockRef, "height" | "hash" | "parentHash">,
) => Promise<BlockHistory | null>;

const none: TransactionRef = { lt: 0n, hash: "0".repeat(64) };

/**
 * Reads blocks one after the other with one request for each account that did nothing: the state after a block is remembered for the next one. It is
 * forgotten if that one cannot be read, so that a node's wrong answer does no harm to the next attempt.
 */
export function createBlockHistory(chain: string, network: TonNetworkKind): ReadBlockHistory {
  /** By account: its state after the last block that was read. */
  const states = new Map<string, AccountState>();

  const parentOf = async (
    ask: AskToncenter,
    account: string,
    { height, parentHash }: Pick<BlockRef, "height" | "parentHash">,
  ): Promise<AccountState | null> => {
    if (height <= 1) return null;
    const known = states.get(account);
    states.delete(account);
    if (known?.block === parentHash) return known;
    const parent = await ask(accountState(account, height - 1));
    // The same state twice would be a block without transactions.
    if (parent.block !== parentHash)
      throw new NodeFault("garbage", `answers block ${parent.block} for ${parentHash}`);
    return parent;
  };

  return async (ask, account, block) => {
    const [state, parent] = await Promise.all([
      ask(accountState(account, block.height)),
      parentOf(ask, account, block),
    ]);
    if (state.block !== block.hash) {
      const { header } = await ask(blockAt(block.height));
      if (header.hash !== block.hash) return null;
      throw new ImpossibleAnswer(chain, `a node answers block ${state.block} for ${block.hash}`);
    }
    const before = parent?.last ?? none;
    const { last } = state;
    const executed =
      last.lt === before.lt
        ? []
        : ((await readHistory(ask, network, account, last, before))?.toReversed() ??
          (await readListed(ask, network, account, block.height, { before, last })));
    states.set(account, state);
    return { executed, before, last };
  };
}

/**
 * The account's transactions in a masterchain block as its shard's blocks list them, oldest first. An account that was deleted there has lost its
 * history, although it may have paid something. Rejects with `NodeFault` for a gap.
 */
export async function readListed(
  ask: AskToncenter,
  network: TonNetworkKind,
  account: string,
  height: number,
  { before, last }: Pick<BlockHistory, "before" | "last">,
): Promise<readonly ExecutedTransaction[]> {
  const id = accountIdOf(account);
  const [after, upTo] = await Promise.all([
    height > 1 ? ask(newestBlockOf(id, height - 1)) : null,
    ask(newestBlockOf(id, height)),
  ]);
  const found: ExecutedTransaction[] = [];
  for (const block of await blocksBetween(ask, id, after, upTo))
    for (const one of await transactionsIn(ask, id, block, 0n))
      for await (const read of walkBack(ask, network, account, one, one.lt - 1n)) found.push(read);
  let reached = before;
  for (const one of found) {
    // The first transaction of an account that did not exist follows none.
    if (one.previous.lt !== 0n && one.previous.hash !== reached.hash)
      throw new NodeFault("garbage", `lists no transaction of ${account} before ${one.lt}`);
    reached = one;
  }
  if (last.lt !== 0n && last.hash !== reached.hash)
    throw new NodeFault("garbage", `lists no transaction ${last.lt} of ${account}`);
  return found;
}
