import { WrongNetwork } from "../port.ts";
import type { NodeLink } from "../rpc/http-nodes.ts";
import { networkPassphrase } from "./questions.ts";
import { type AskStellar, askOver, type StellarNode } from "./stellar-node.ts";

/** A network is identified by its passphrase, which every signature covers. */
export type StellarNetwork = { readonly passphrase: string };

/** Throws `WrongNetwork` when the node in use belongs to another network. */
export async function verifyNetwork(
  node: StellarNode,
  network: StellarNetwork,
  signal: AbortSignal,
): Promise<void> {
  await node.consult((ask) => check(ask, network), signal);
}

/** The same check for `HttpNodesOptions.verify`: applied to every node before it is used. */
export function verifyStellarNode(network: StellarNetwork): (link: NodeLink) => Promise<void> {
  return (link) => check(askOver(link), network);
}

async function check(ask: AskStellar, { passphrase }: StellarNetwork): Promise<void> {
  const reported = await ask(networkPassphrase);
  if (reported !== passphrase)
    throw new WrongNetwork(`the node's network is "${reported}", configured is "${passphrase}"`);
}
