import type { TonNetworkKind } from "../../currencies/ton-address.ts";
import { type BlockRef, ImpossibleAnswer } from "../port.ts";
import { NodeFault } from "../rpc/node-error.ts";
import { readHistory } from "./history.ts";
import { type AccountState, accountState, blockAt, type TransactionRef } from "./questions.ts";
import type { AskToncenter } from "./toncenter-node.ts";
import type { ExecutedTransaction } from "./transaction.ts";

/**
 * The transactions of an account in a masterchain block, oldest first: those between the account's states after the block before and after
 * this one. Null if the node has another block at that height.
 */
export type BlockHistory = (
  ask: AskToncenter,
  account: string,
  block: Pick<BlockRef, "height" | "hash" | "parentHash">,
) => Promise<readonly ExecutedTransaction[] | null>;

const none: TransactionRef = { lt: 0n, hash: "0".repeat(64) };

/**
 * Reads blocks one after the other with one request for each account that did nothing: the state after a block is remembered for the next one. It is
 * forgotten if that one cannot be read, so that a node's wrong answer does no harm to the next attempt.
 */
export function createBlockHistory(chain: string, network: TonNetworkKind): BlockHistory {
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
    const executed =
      state.last.lt === before.lt
        ? []
        : await readHistory(ask, network, account, state.last, before);
    states.set(account, state);
    return executed.toReversed();
  };
}
