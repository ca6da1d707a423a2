import type { BroadcastOutcome } from "../../paying-port.ts";
import type { AskMonerod, MonerodNode } from "../monerod-node.ts";
import { transactionsWithIds } from "../questions.ts";
import { signedTransactionId } from "../transaction.ts";
import { submit } from "./node-questions.ts";

/**
 * Sends the bytes to one node. A node answers a transaction that it has in its pool as if it were new, and one that is in a block as a double
 * spend, so it is asked for the id first, and again after a refusal.
 */
export function broadcast(
  node: MonerodNode,
  raw: Uint8Array,
  signal: AbortSignal,
): Promise<BroadcastOutcome> {
  const txid = signedTransactionId(raw);
  const isKnown = async (ask: AskMonerod): Promise<boolean> =>
    (await transactionsWithIds(ask, [txid])).has(txid);
  return node.command(async (ask): Promise<BroadcastOutcome> => {
    if (await isKnown(ask)) return { kind: "alreadyKnown" };
    const reason = await ask(submit(raw));
    if (reason === null) return { kind: "accepted" };
    return (await isKnown(ask)) ? { kind: "alreadyKnown" } : { kind: "rejected", reason };
  }, signal);
}
