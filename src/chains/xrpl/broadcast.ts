import { sha512 } from "@noble/hashes/sha2.js";
import { present } from "../../platform/kernel/assert.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { BroadcastOutcome } from "../paying-port.ts";
import { submissionOf } from "./pay-questions.ts";
import { transactionWithId } from "./questions.ts";
import type { RippledNode } from "./rippled-node.ts";

/**
 * Broadcasts a signed transaction through every available node: nothing can replace it until it expires, so one node that does not
 * relay it must not delay the payment. Resolves with the best outcome. Rejects with `Unavailable` if no node accepts transactions
 * now.
 */
export async function broadcast(
  node: RippledNode,
  raw: Uint8Array,
  signal: AbortSignal,
): Promise<BroadcastOutcome> {
  const available = node.available();
  const nodes = available.length < 2 ? [node] : available.map((name) => node.only(name));
  const answers = await Promise.all(nodes.map((one) => broadcastOrOutage(one, raw, signal)));
  const outcomes = answers.flatMap((answer) => (answer instanceof Unavailable ? [] : [answer]));
  const outage = answers.find((answer) => answer instanceof Unavailable);
  const [best] = outcomes.toSorted((a, b) => ranks.indexOf(a.kind) - ranks.indexOf(b.kind));
  if (best === undefined) throw present(outage, "an answer or an outage");
  return best;
}

const ranks: readonly BroadcastOutcome["kind"][] = ["accepted", "alreadyKnown", "rejected"];

/** One after the other: a node refuses a transaction whose predecessor it does not have. */
export async function broadcastEach(
  node: RippledNode,
  raws: readonly Uint8Array[],
  signal: AbortSignal,
): Promise<readonly BroadcastOutcome[]> {
  const outcomes: BroadcastOutcome[] = [];
  for (const raw of raws) outcomes.push(await broadcast(node, raw, signal));
  return outcomes;
}

async function broadcastOrOutage(
  node: RippledNode,
  raw: Uint8Array,
  signal: AbortSignal,
): Promise<BroadcastOutcome | Unavailable> {
  try {
    return await broadcastTo(node, raw, signal);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return error;
  }
}

/**
 * A result with `tec` is in the open ledger too, where it will burn its fee. Looks a refused transaction up by its id: its sequence is
 * in the past once a ledger contains it.
 */
async function broadcastTo(
  node: RippledNode,
  raw: Uint8Array,
  signal: AbortSignal,
): Promise<BroadcastOutcome> {
  const { isApplied, message, result } = await node.command(
    (ask) => ask(submissionOf(raw)),
    signal,
  );
  if (isApplied || result === "tesSUCCESS" || result === "terQUEUED") return { kind: "accepted" };
  if (result === "tefALREADY") return { kind: "alreadyKnown" };
  const found = await node.consult((ask) => ask(transactionWithId(transactionId(raw))), signal);
  return found?.kind === "validated"
    ? { kind: "alreadyKnown" }
    : { kind: "rejected", reason: `${result}: ${message}` };
}

/** "TXN" and a zero byte. */
const idPrefix = Uint8Array.of(0x54, 0x58, 0x4e, 0);

/** The id of a signed transaction: the first half of SHA-512, in upper-case hexadecimal. */
function transactionId(raw: Uint8Array): string {
  const hash = sha512(Uint8Array.from([...idPrefix, ...raw]));
  return Buffer.from(hash.subarray(0, 32)).toString("hex").toUpperCase();
}
