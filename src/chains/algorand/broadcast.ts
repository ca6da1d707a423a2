import { present } from "../../platform/kernel/assert.ts";
import type { BroadcastOutcome } from "../paying-port.ts";
import { broadcastThroughAll } from "../rpc/through-all-nodes.ts";
import type { AlgodNode } from "./algod-node.ts";
import { txidOf } from "./block.ts";
import { decodePacked } from "./msgpack.ts";
import { mapIn } from "./packed-fields.ts";
import { submissionOf, transactionWithId } from "./questions.ts";

/** Broadcasts a signed transaction, see `broadcastThroughAll`. */
export function broadcast(
  node: AlgodNode,
  raw: Uint8Array,
  signal: AbortSignal,
): Promise<BroadcastOutcome> {
  return broadcastThroughAll(node, (one) => broadcastTo(one, raw, signal));
}

/** Looks a known transaction up first: a node accepts one that waits in its pool again, and refuses one that is in a block. */
async function broadcastTo(
  node: AlgodNode,
  raw: Uint8Array,
  signal: AbortSignal,
): Promise<BroadcastOutcome> {
  const txid = signedIdOf(raw);
  const known = await node.consult((ask) => ask(transactionWithId(txid)), signal);
  if (known.kind !== "unknown") return { kind: "alreadyKnown" };
  const refusal = await node.command((ask) => ask(submissionOf(raw)), signal);
  if (refusal === null) return { kind: "accepted" };
  // A block may have taken it between the two questions.
  const again = await node.consult((ask) => ask(transactionWithId(txid)), signal);
  if (again.kind !== "unknown" || /already in ledger/.test(refusal))
    return { kind: "alreadyKnown" };
  return { kind: "rejected", reason: `the network refuses it: ${refusal}` };
}

/** The id of a signed transaction, from the bytes of its member `txn`. */
function signedIdOf(raw: Uint8Array): string {
  const member = mapIn(decodePacked(raw)).members.find(({ name }) => name === "txn");
  // The key is a text of three letters: four bytes.
  return txidOf(present(member, "a signed transaction").bytes.subarray(4));
}
