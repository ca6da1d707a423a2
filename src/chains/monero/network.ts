import type { MoneroNetworkFacts } from "../../currencies/monero-facts.ts";
import { WrongNetwork } from "../port.ts";
import type { NodeLink } from "../rpc/http-nodes.ts";
import { type AskMonerod, askOver } from "./monerod-node.ts";
import { headerAtHeight, networkInfo } from "./questions.ts";

/** The check for `HttpNodesOptions.verify`: applied to every node before it is used. */
export function verifyMonerod(network: MoneroNetworkFacts): (link: NodeLink) => Promise<void> {
  return (link) => verifyNetwork(askOver(link), network);
}

/**
 * Throws `WrongNetwork` when the node belongs to another network. A private chain begins with the main network's block, so the node's own
 * name for its network is compared too.
 */
export async function verifyNetwork(ask: AskMonerod, network: MoneroNetworkFacts): Promise<void> {
  const { nettype } = await ask(networkInfo);
  if (nettype !== network.nettype)
    throw new WrongNetwork(`the node's network is ${nettype}, configured is ${network.nettype}`);
  const first = await ask(headerAtHeight(0));
  if (first?.hash !== network.genesisHash)
    throw new WrongNetwork(
      `the node's first block is ${first?.hash ?? "missing"}, that of ${nettype} is ${network.genesisHash}`,
    );
}
