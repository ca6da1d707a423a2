import { present } from "../../platform/kernel/assert.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { BroadcastOutcome } from "../paying-port.ts";
import { submissionOf } from "./pay-questions.ts";
import { transactionWithId } from "./questions.ts";
import type { StellarNode } from "./stellar-node.ts";

/**
 * Broadcasts a signed transaction through every available node: nothing can replace it until its time has passed, so one node that does not
 * relay it must not delay the payment. `idOf` computes its hash. Resolves with the best outcome. Rejects with `Unavailable` if no node
 * accepts transactions now.
 */
export async function broadcast(
  node: StellarNode,
  idOf: (raw: Uint8Array) => string,
  raw: Uint8Array,
  signal: AbortSignal,
): Promise<BroadcastOutcome> {
  const available = node.available();
  const nodes = available.length < 2 ? [node] : available.map((name) => node.only(name));
  const answers = await Promise.all(
    nodes.map(async (one) => {
      try {
        return await broadcastTo(one, idOf(raw), raw, signal);
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

/** One after the other: a node takes one transaction of an account at a time, and refuses one whose predecessor it does not have. */
export async function broadcastEach(
  node: StellarNode,
  idOf: (raw: Uint8Array) => string,
  raws: readonly Uint8Array[],
  signal: AbortSignal,
): Promise<readonly BroadcastOutcome[]> {
  const outcomes: BroadcastOutcome[] = [];
  for (const raw of raws) outcomes.push(await broadcast(node, idOf, raw, signal));
  return outcomes;
}

/** Looks a refused transaction up by its hash: its sequence is in the past once a ledger contains it. */
async function broadcastTo(
  node: StellarNode,
  txid: string,
  raw: Uint8Array,
  signal: AbortSignal,
): Promise<BroadcastOutcome> {
  const { status, code } = await node.command((ask) => ask(submissionOf(raw)), signal);
  if (status === "PENDING") return { kind: "accepted" };
  if (status === "DUPLICATE") return { kind: "alreadyKnown" };
  if (status === "TRY_AGAIN_LATER")
    return { kind: "rejected", reason: "another transaction of the account waits for a ledger" };
  const { height } = await node.ask(transactionWithId(txid), signal);
  return height === null
    ? { kind: "rejected", reason: `the network refuses it: ${code ?? "no reason"}` }
    : { kind: "alreadyKnown" };
}
