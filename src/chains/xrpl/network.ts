import { WrongNetwork } from "../port.ts";
import type { NodeLink } from "../rpc/http-nodes.ts";
import { NodeFault } from "../rpc/node-error.ts";
import { serverState } from "./questions.ts";
import { type AskRippled, askOver, type RippledNode } from "./rippled-node.ts";

/** The number of a network: 0 the main one, 1 its test network. Above 1024, each transaction names it. */
export type XrplNetwork = { readonly networkId: number };

/** Throws `WrongNetwork` when the node in use belongs to another network. */
export async function verifyNetwork(
  node: RippledNode,
  network: XrplNetwork,
  signal: AbortSignal,
): Promise<void> {
  await node.consult((ask) => check(ask, network), signal);
}

/** The same check for `HttpNodesOptions.verify`: applied to every node before it is used. */
export function verifyRippledNode(network: XrplNetwork): (link: NodeLink) => Promise<void> {
  return (link) => check(askOver(link), network);
}

async function check(ask: AskRippled, { networkId }: XrplNetwork): Promise<void> {
  const state = await ask(serverState);
  if (state.networkId !== networkId)
    throw new WrongNetwork(`the node's network is ${state.networkId}, configured is ${networkId}`);
  if (state.isAmendmentBlocked)
    throw new NodeFault("denied", "is too old for the network's rules (amendment blocked)");
}
