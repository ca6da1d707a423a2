import { present } from "../../platform/kernel/assert.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { BroadcastOutcome } from "../paying-port.ts";
import type { AlgodNode } from "./algod-node.ts";
import { txidOf } from "./block.ts";
import { decodePacked } from "./msgpack.ts";
import { mapIn } from "./packed-fields.ts";
import { submissionOf, transactionWithId } from "./questions.ts";

/**
 * Broadcasts a signed transaction through every available node: nothing can replace it until it expires, so one node that does not relay it
 * must not delay the payment. Resolves with the best outcome. Rejects with `Unavailable` if no node accepts transactions now.
 */
export async function broadcast(
  node: AlgodNode,
  raw: Uint8Array,
  signal: AbortSignal,
): Promise<BroadcastOutcome> {
  const available = node.available();
  const nodes = available.length < 2 ? [node] : available.map((name) => node.only(name));
  const answers = await Promise.all(
    nodes.map(async (one) => {
      try {
        return await broadcastTo(one, raw, signal);
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        return error;
      }
    }),
  );
  const outcomes = answers.flatMap((answer) => (answer instanceof Unavailable ? [] : [answer]));
  const outage = answers.find((answer) => answer instanceof Unavailable);
  const [best] = outcomes.toSorted((a, b) => ranks.indexOf(a.kind) - ranks.indexOf(b.kind));
  if (best === undefined) throw present(outage, "an answer or an outage");
  return best;
}

const ranks: readonly BroadcastOutcome["kind"][] = ["accepted", "alreadyKnown", "rejected"];

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
