import { Cell, loadMessage } from "@ton/core";
import { present } from "../../platform/kernel/assert.ts";
import type { BroadcastOutcome } from "../paying-port.ts";
import { askAllNodes } from "../rpc/through-all-nodes.ts";
import type { WatchedAccounts } from "./block-activity.ts";
import { submissionOf } from "./questions.ts";
import type { ToncenterNode } from "./toncenter-node.ts";
import { normalizedHash } from "./transaction.ts";
import { findTransaction } from "./transaction-status.ts";

/** Sends signed messages. A node takes the same message again while it waits, so what was taken before is remembered here. */
export type Broadcaster = (raw: Uint8Array, signal: AbortSignal) => Promise<BroadcastOutcome>;

const rememberedMax = 10_000;

/**
 * Sends a message to every available node: nothing can replace it until its time has passed, so one node that does not relay it must not
 * delay the payment. Rejects with `Unavailable` if no node answers.
 */
export function createBroadcaster(node: ToncenterNode, watched: WatchedAccounts): Broadcaster {
  const taken = new Set<string>();
  return async (raw, signal) => {
    const txid = idOf(raw);
    const answers = await askAllNodes(node, (one) =>
      one.command((ask) => ask(submissionOf(raw)), signal),
    );
    if (answers.includes(null)) {
      if (taken.has(txid)) return { kind: "alreadyKnown" };
      if (taken.size >= rememberedMax) taken.clear();
      taken.add(txid);
      return { kind: "accepted" };
    }
    // A wallet refuses what it has executed.
    const found = await node.consult(
      (ask) => findTransaction(ask, watched, txid, watched.accounts),
      signal,
    );
    return found === null
      ? { kind: "rejected", reason: present(answers[0], "a refusal").slice(0, 500) }
      : { kind: "alreadyKnown" };
  };
}

function idOf(raw: Uint8Array): string {
  const [cell] = Cell.fromBoc(Buffer.from(raw));
  return normalizedHash(loadMessage(present(cell, "a message").beginParse()));
}
