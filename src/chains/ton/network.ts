import type { TonNetworkKind } from "../../currencies/ton-address.ts";
import type { JettonWalletForm } from "../../currencies/ton-facts.ts";
import { WrongNetwork } from "../port.ts";
import type { NodeLink } from "../rpc/http-nodes.ts";
import { blockAt, masterchainInfo } from "./questions.ts";
import { type AskToncenter, askOver, type ToncenterNode } from "./toncenter-node.ts";

/** A network of TON. */
export type TonNetwork = {
  /** Which addresses are its own. */
  readonly kind: TonNetworkKind;
  /** The number in its blocks: -239 on the main network, -3 on the test network. */
  readonly globalId: number;
  /** The wallets of each jetton, by its locator. */
  readonly jettonWallets: Readonly<Record<string, JettonWalletForm>>;
};

/** Throws `WrongNetwork` when the node in use belongs to another network. */
export async function verifyNetwork(
  node: ToncenterNode,
  network: Pick<TonNetwork, "globalId">,
  signal: AbortSignal,
): Promise<void> {
  await node.consult((ask) => check(ask, network), signal);
}

/** The same check for `HttpNodesOptions.verify`: applied to every node before it is used. */
export function verifyToncenterNode(
  network: Pick<TonNetwork, "globalId">,
): (link: NodeLink) => Promise<void> {
  return (link) => check(askOver(link), network);
}

async function check(ask: AskToncenter, { globalId }: Pick<TonNetwork, "globalId">): Promise<void> {
  const { height } = await ask(masterchainInfo);
  const block = await ask(blockAt(height));
  if (block.globalId !== globalId)
    throw new WrongNetwork(`the node's network is ${block.globalId}, configured is ${globalId}`);
}
