import type { Draft, SpendStatus } from "../../paying-port.ts";
import type { AskMonerod, MonerodNode } from "../monerod-node.ts";
import { headerAtHeight, statesOfKeyImages, transactionsWithIds } from "../questions.ts";

/**
 * The status of a transaction of ours. Once a block has spent one of its key images and the node does not have the transaction, another one
 * did; the node does not tell which.
 */
export function readSpendStatus(
  node: MonerodNode,
  txid: string,
  { claims }: Draft,
  signal: AbortSignal,
): Promise<SpendStatus> {
  return node.consult(async (ask): Promise<SpendStatus> => {
    const status = await locate(ask, txid);
    if (status !== null) return status;
    const states = claims.length === 0 ? [] : await ask(statesOfKeyImages(claims));
    if (!states.includes("spent")) return { kind: "unknown" };
    // A block may have brought it between the two answers.
    return (await locate(ask, txid)) ?? { kind: "conflicted", by: null, block: null };
  }, signal);
}

/** Null if the node does not have it. */
async function locate(ask: AskMonerod, txid: string): Promise<SpendStatus | null> {
  const located = (await transactionsWithIds(ask, [txid])).get(txid);
  if (located === undefined) return null;
  const { height, transaction } = located;
  if (height === null) return { kind: "pending" };
  const block = await ask(headerAtHeight(height));
  // The chain became shorter between the two answers.
  if (block === null) return { kind: "unknown" };
  return { kind: "mined", block, txid, hasSucceeded: true, feeUnits: transaction.feeUnits };
}
