import { WrongNetwork } from "../port.ts";
import type { NodeLink } from "../rpc/http-nodes.ts";
import { type AlgodNode, type AskAlgod, askOver } from "./algod-node.ts";
import { genesisHash } from "./questions.ts";

/** A network is identified by its genesis hash (base64), which every signature covers. */
export type AlgorandNetwork = { readonly genesisHash: string };

/** Throws `WrongNetwork` when the node in use belongs to another network. */
export async function verifyNetwork(
  node: AlgodNode,
  network: AlgorandNetwork,
  signal: AbortSignal,
): Promise<void> {
  await node.consult((ask) => check(ask, network), signal);
}

/** The same check for `HttpNodesOptions.verify`: applied to every node before it is used. */
export function verifyAlgodNode(network: AlgorandNetwork): (link: NodeLink) => Promise<void> {
  return (link) => check(askOver(link), network);
}

async function check(ask: AskAlgod, network: AlgorandNetwork): Promise<void> {
  const reported = await ask(genesisHash);
  if (reported !== network.genesisHash)
    throw new WrongNetwork(
      `the node's genesis hash is ${reported}, configured is ${network.genesisHash}`,
    );
}
