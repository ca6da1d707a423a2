import { WrongNetwork } from "../port.ts";
import type { NodeLink } from "../rpc/http-nodes.ts";
import { NodeFault } from "../rpc/node-error.ts";
import { headerAt } from "./questions.ts";
import { type AskTron, askOver, type TronNode } from "./tron-node.ts";

/** Which network a node must belong to. */
export type TronNetwork = {
  /** The id of block 0; null accepts any, for a private network. */
  readonly genesisId: string | null;
};

/** Throws `WrongNetwork` when the node in use belongs to another network. */
export async function verifyNetwork(
  node: TronNode,
  network: TronNetwork,
  signal: AbortSignal,
): Promise<void> {
  await node.consult((ask) => check(ask, network), signal);
}

/** The same check for `HttpNodesOptions.verify`: applied to every node before it is used. */
export function verifyTronNode(network: TronNetwork): (link: NodeLink) => Promise<void> {
  return (link) => check(askOver(link), network);
}

async function check(ask: AskTron, { genesisId }: TronNetwork): Promise<void> {
  const genesis = await ask(headerAt("wallet", 0));
  if (genesis === null) throw new NodeFault("denied", "has no block 0: it keeps no full history");
  if (genesisId !== null && genesis.hash !== genesisId.toLowerCase())
    throw new WrongNetwork(`the node's block 0 is ${genesis.hash}, configured is ${genesisId}`);
}
