import type { BlockRef } from "../port.ts";
import { readCount } from "./answer.ts";
import type { EvmNode, Question } from "./evm-node.ts";
import { blockByHash, callOf, headerByNumber, toQuantity, type UsedCall } from "./questions.ts";

/** Where a nonce was used: by which transaction (null if the node cannot tell), and in which block or an earlier one. */
export type NonceUse = { readonly block: Pick<BlockRef, "height" | "hash"> | null } & (
  | { readonly txid: null }
  | { readonly txid: string; readonly call: UsedCall }
);

/** Every node keeps account state for at least this many blocks. */
const statesKept = 127;

/**
 * Finds the transaction that used an account's nonce in the chain up to `latest`: it is in the first block after which the
 * account's count exceeds the nonce.
 */
export async function findNonceUse(
  node: EvmNode,
  claim: { readonly sender: string; readonly nonce: number },
  latest: BlockRef,
  signal: AbortSignal,
): Promise<NonceUse> {
  const height = await firstHeightBeyond(node, claim, latest.height, signal);
  const header = await node.ask(headerByNumber(height), signal);
  const used = header === null ? null : { height, hash: header.hash };
  const nowhere = { txid: null, block: used };
  const block = header === null ? null : await node.ask(blockByHash(header.hash), signal);
  const use = block?.transactions.find(
    ({ from, nonce }) => from === claim.sender && nonce === claim.nonce,
  );
  if (use === undefined) return nowhere;
  const call = await node.ask(callOf(use.txid), signal);
  return call === null ? nowhere : { txid: use.txid, block: used, call };
}

/** Bisects the blocks whose state nodes keep; a state that this node lacks counts as too old. */
async function firstHeightBeyond(
  node: EvmNode,
  { sender, nonce }: { readonly sender: string; readonly nonce: number },
  latest: number,
  signal: AbortSignal,
): Promise<number> {
  let beyond = latest;
  let before = Math.max(-1, latest - statesKept - 1);
  while (beyond - before > 1) {
    const middle = Math.floor((beyond + before) / 2);
    const [used] = await node.askEach([nonceAtHeight(sender, middle)], signal);
    if ("answer" in used && used.answer > nonce) beyond = middle;
    else before = middle;
  }
  return beyond;
}

function nonceAtHeight(sender: string, height: number): Question<number> {
  return {
    method: "eth_getTransactionCount",
    params: [sender, toQuantity(height)],
    read: readCount,
  };
}
