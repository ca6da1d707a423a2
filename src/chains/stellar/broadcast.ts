import { present } from "../../platform/kernel/assert.ts";
import type { BroadcastOutcome } from "../paying-port.ts";
import { broadcastThroughAll } from "../rpc/through-all-nodes.ts";
import { native } from "./asset.ts";
import { holdingKey } from "./entries.ts";
import { submissionOf } from "./pay-questions.ts";
import { entriesOf, transactionWithId } from "./questions.ts";
import type { StellarNode } from "./stellar-node.ts";
import type { StatedTransaction } from "./transaction.ts";

/** Broadcasts a signed transaction, which `envelopeOf` reads, see `broadcastThroughAll`. */
export function broadcast(
  node: StellarNode,
  envelopeOf: (raw: Uint8Array) => StatedTransaction,
  raw: Uint8Array,
  signal: AbortSignal,
): Promise<BroadcastOutcome> {
  return broadcastThroughAll(node, (one) => broadcastTo(one, envelopeOf(raw), raw, signal));
}

/** Of different accounts, sent at the same time. */
const accountsAtOnce = 8;

/** Those of an account in their order: a node takes one of them at a time, and the next one after the ledger closed. */
export async function broadcastEach(
  node: StellarNode,
  envelopeOf: (raw: Uint8Array) => StatedTransaction,
  raws: readonly Uint8Array[],
  signal: AbortSignal,
): Promise<readonly BroadcastOutcome[]> {
  const outcomes = new Map<Uint8Array, BroadcastOutcome>();
  const accounts = [...Map.groupBy(raws, (raw) => envelopeOf(raw).source).values()];
  const sendInOrder = async (own: readonly Uint8Array[]): Promise<void> => {
    let outcome: BroadcastOutcome | null = null;
    for (const raw of own) {
      if (outcome?.kind !== "waits") outcome = await broadcast(node, envelopeOf, raw, signal);
      outcomes.set(raw, outcome);
    }
  };
  for (let start = 0; start < accounts.length; start += accountsAtOnce)
    await Promise.all(accounts.slice(start, start + accountsAtOnce).map(sendInOrder));
  return raws.map((raw) => present(outcomes.get(raw), "the outcome of a broadcast"));
}

/** Looks a refused transaction up by its hash: its sequence is in the past once a ledger contains it. */
async function broadcastTo(
  node: StellarNode,
  { txid, source, sequence }: StatedTransaction,
  raw: Uint8Array,
  signal: AbortSignal,
): Promise<BroadcastOutcome> {
  const { status, code } = await node.command((ask) => ask(submissionOf(raw)), signal);
  if (status === "PENDING") return { kind: "accepted" };
  if (status === "DUPLICATE") return { kind: "alreadyKnown" };
  // Another transaction of the account waits for a ledger.
  if (status === "TRY_AGAIN_LATER") return { kind: "waits" };
  const { height } = await node.consult((ask) => ask(transactionWithId(txid)), signal);
  if (height !== null) return { kind: "alreadyKnown" };
  const account = await node.consult((ask) => ask(entriesOf([holdingKey(source, native)])), signal);
  const [entry] = account.entries;
  return entry?.type === "account" && entry.account.seqNum + 1n < sequence
    ? { kind: "waits" }
    : { kind: "rejected", reason: `the network refuses it: ${code ?? "no reason"}` };
}
