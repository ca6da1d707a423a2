import { keccak_256 } from "@noble/hashes/sha3.js";
import { present } from "../../platform/kernel/assert.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { BroadcastOutcome } from "../paying-port.ts";
import type { EvmNode, Question, Refusal } from "./evm-node.ts";
import { receiptOf, transactionOf } from "./questions.ts";

/**
 * Broadcasts a signed transaction. Nodes reject known and mined transactions with various messages, so a rejected one is
 * looked up by its id.
 */
export async function broadcast(
  node: EvmNode,
  raw: Uint8Array,
  signal: AbortSignal,
): Promise<BroadcastOutcome> {
  const bytes = Buffer.from(raw).toString("hex");
  const outcome = await node.command("eth_sendRawTransaction", [`0x${bytes}`], signal);
  if ("answer" in outcome) return { kind: "accepted" };
  const { message } = outcome.refusal;
  if (isAlreadyKnown(message)) return { kind: "alreadyKnown" };
  const txid = `0x${Buffer.from(keccak_256(raw)).toString("hex")}`;
  const [transaction, receipt] = await node.askAll([transactionOf(txid), receiptOf(txid)], signal);
  return transaction === null && receipt === null ? refusalOf(message) : { kind: "alreadyKnown" };
}

/**
 * Broadcasts several transactions in one request, in this order. A rejected one is sent again individually, because some nodes
 * process a batch out of order. If the node stops answering before that, its first answer is used.
 */
export async function broadcastEach(
  node: EvmNode,
  raws: readonly Uint8Array[],
  signal: AbortSignal,
): Promise<readonly BroadcastOutcome[]> {
  if (raws.length === 0) return [];
  const outcomes = await node.askEach(raws.map(sendRawTransaction), signal);
  const results: BroadcastOutcome[] = [];
  let isSilent = false;
  for (const [position, raw] of raws.entries()) {
    const outcome = present(outcomes[position], "an answer to each transaction");
    if ("answer" in outcome) results.push({ kind: "accepted" });
    else {
      const again: BroadcastOutcome | null = isSilent
        ? null
        : await broadcastOrNull(node, raw, signal);
      isSilent ||= again === null;
      results.push(again ?? readRefusal(outcome.refusal));
    }
  }
  return results;
}

async function broadcastOrNull(
  node: EvmNode,
  raw: Uint8Array,
  signal: AbortSignal,
): Promise<BroadcastOutcome | null> {
  try {
    return await broadcast(node, raw, signal);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return null;
  }
}

function readRefusal({ message }: Refusal): BroadcastOutcome {
  return isAlreadyKnown(message) ? { kind: "alreadyKnown" } : refusalOf(message);
}

/** What nodes say about a further transaction of an account that delegates, or is about to: they keep one (Geth's pool, Erigon's). */
const oneAtATime =
  /\bin-flight transaction limit\b|\bgapped-nonce tx from delegated\b|\bauthority already reserved\b/i;

function refusalOf(message: string): BroadcastOutcome {
  return oneAtATime.test(message) ? { kind: "waits" } : { kind: "rejected", reason: message };
}

/** Sending the same transaction twice has no further effect. */
function sendRawTransaction(raw: Uint8Array): Question<unknown> {
  return {
    method: "eth_sendRawTransaction",
    params: [`0x${Buffer.from(raw).toString("hex")}`],
    read: (result) => result,
  };
}

const knownMessage =
  /\balready[ _-]?(?:known|imported|exists)\b|\balreadyknown\b|\bknown transaction\b|\bsame hash was already imported\b/i;

/** Whether a node's error means that it already has this transaction. */
export function isAlreadyKnown(message: string): boolean {
  return knownMessage.test(message);
}
