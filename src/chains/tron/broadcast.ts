import { sha256 } from "@noble/hashes/sha2.js";
import { present } from "../../platform/kernel/assert.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { BroadcastOutcome } from "../paying-port.ts";
import { broadcastThroughAll } from "../rpc/through-all-nodes.ts";
import { broadcastOf } from "./pay-questions.ts";
import { isInPool, receiptOf } from "./questions.ts";
import type { TronNode } from "./tron-node.ts";

/** Codes of a node that cannot accept transactions now. It may hold this one in its pool without having relayed it. */
const nodeOutages = new Set([
  "SERVER_BUSY",
  "NO_CONNECTION",
  "NOT_ENOUGH_EFFECTIVE_CONNECTION",
  "BLOCK_UNSOLIDIFIED",
]);

/** What is wrong with the transaction, by java-tron's `response_code` (its spelling); other codes are reported as they are. */
const faults: Readonly<Record<string, string>> = {
  SIGERROR: "the signature is not the sender's",
  CONTRACT_VALIDATE_ERROR: "the chain refuses it now",
  CONTRACT_EXE_ERROR: "it cannot be executed",
  BANDWITH_ERROR: "the sender can pay for neither bandwidth nor activation",
  TAPOS_ERROR: "the node's chain lacks the block that it refers to",
  TOO_BIG_TRANSACTION_ERROR: "it is too large",
  TRANSACTION_EXPIRATION_ERROR: "it has expired, or expires too late",
  OTHER_ERROR: "the node failed",
};

/** Broadcasts a signed transaction, see `broadcastThroughAll`. */
export function broadcast(
  node: TronNode,
  raw: Uint8Array,
  signal: AbortSignal,
): Promise<BroadcastOutcome> {
  return broadcastThroughAll(node, (one) => broadcastTo(one, raw, signal));
}

/** Looks a rejected transaction up by its id: a node rejects one that is already in a block as expired once its time has passed. */
async function broadcastTo(
  node: TronNode,
  raw: Uint8Array,
  signal: AbortSignal,
): Promise<BroadcastOutcome> {
  const { code, message } = await node.command((ask) => ask(broadcastOf(raw)), signal);
  if (code === "SUCCESS") return { kind: "accepted" };
  if (code === "DUP_TRANSACTION_ERROR") return { kind: "alreadyKnown" };
  if (nodeOutages.has(code)) throw new Unavailable(node.chain, `${code}: ${message}`);
  const txid = txidOf(raw);
  const isKnown = await node.consult(
    async (ask) => (await ask(receiptOf(txid))) !== null || (await ask(isInPool(txid))),
    signal,
  );
  if (isKnown) return { kind: "alreadyKnown" };
  const fault = faults[code];
  const reason = fault === undefined ? `${code}: ${message}` : `${fault} (${code}: ${message})`;
  return { kind: "rejected", reason };
}

/** The hash of `raw_data`, which is the first field of the signed transaction. */
function txidOf(raw: Uint8Array): string {
  let length = 0;
  let at = 1;
  for (let shift = 0; ; shift += 7) {
    const byte = present(raw[at], "a signed transaction");
    at += 1;
    length |= (byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return Buffer.from(sha256(raw.subarray(at, at + length))).toString("hex");
}
