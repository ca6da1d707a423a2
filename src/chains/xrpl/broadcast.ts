import { sha512 } from "@noble/hashes/sha2.js";
import type { BroadcastOutcome } from "../paying-port.ts";
import { broadcastThroughAll } from "../rpc/through-all-nodes.ts";
import { submissionOf } from "./pay-questions.ts";
import { transactionWithId } from "./questions.ts";
import type { RippledNode } from "./rippled-node.ts";

/** Broadcasts a signed transaction, see `broadcastThroughAll`. */
export function broadcast(
  node: RippledNode,
  raw: Uint8Array,
  signal: AbortSignal,
): Promise<BroadcastOutcome> {
  return broadcastThroughAll(node, (one) => broadcastTo(one, raw, signal));
}

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
