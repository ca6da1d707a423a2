import { present } from "../../platform/kernel/assert.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { BroadcastOutcome } from "../paying-port.ts";
import type { NodeClient } from "./failover.ts";

/**
 * Gives the same work to every available node at the same time. Resolves with the answers of those that have one, at least one. Rejects
 * with `Unavailable` if none has.
 */
export async function askAllNodes<
  Node extends Pick<NodeClient, "available"> & { readonly only: (node: string) => Node },
  Answer,
>(node: Node, work: (one: Node) => Promise<Answer>): Promise<readonly Answer[]> {
  const available = node.available();
  const nodes = available.length < 2 ? [node] : available.map((name) => node.only(name));
  const outages: Unavailable[] = [];
  const answers = await Promise.all(
    nodes.map(async (one) => {
      try {
        return [await work(one)];
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        outages.push(error);
        return [];
      }
    }),
  );
  if (outages.length === nodes.length) throw present(outages[0], "an outage");
  return answers.flatMap((one) => one);
}

/** The best first. */
const ranks: readonly BroadcastOutcome["kind"][] = [
  "accepted",
  "alreadyKnown",
  "waits",
  "rejected",
];

/**
 * Broadcasts a signed transaction through every available node: nothing can replace it until it expires, so one node that does not
 * relay it must not delay the payment. Resolves with the best outcome. Rejects with `Unavailable` if no node accepts transactions
 * now.
 */
export async function broadcastThroughAll<
  Node extends Pick<NodeClient, "available"> & { readonly only: (node: string) => Node },
>(node: Node, broadcastTo: (one: Node) => Promise<BroadcastOutcome>): Promise<BroadcastOutcome> {
  const outcomes = await askAllNodes(node, broadcastTo);
  const [best] = outcomes.toSorted((a, b) => ranks.indexOf(a.kind) - ranks.indexOf(b.kind));
  return present(best, "an outcome");
}
