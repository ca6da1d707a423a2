import type { CardanoNetworkId } from "../../currencies/cardano-address.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { ChainAdapter } from "../chain-adapter.ts";
import type { ChainWriter } from "../paying-port.ts";
import type { ChainReader, DerivedAddressing } from "../port.ts";
import { createChainNodes } from "../rpc/create-chain-nodes.ts";
import { createCardanoAddressing } from "./addressing.ts";
import type { CardanoNode } from "./cardano-node.ts";
import { createCardanoReader } from "./reader.ts";
import { createCardanoWriter } from "./writer.ts";

export type CardanoAdapterOptions = {
  readonly network: CardanoNetworkId;
  /** The chain's nodes; created with `verifyCardanoNode(network)`, each is verified before it is used. */
  readonly node: CardanoNode;
  readonly currency: CurrencyId;
  /** The account's extended public key, `acct_xvk…`. */
  readonly accountKey: string;
  readonly reorgLimit: number;
  readonly clock: Clock;
};

/** One network of Cardano. Its coins are spent where they lie, so nothing is swept. */
export function createCardanoAdapter(
  options: CardanoAdapterOptions,
): ChainAdapter<DerivedAddressing> {
  const { accountKey, clock, currency, network, node, reorgLimit } = options;
  const { chain } = node;
  const createReader = (of: CardanoNode): ChainReader =>
    createCardanoReader({ node: of, network, currency, clock, reorgLimit });
  const createWriter = (of: CardanoNode): ChainWriter =>
    createCardanoWriter({ node: of, network, currency, clock });
  return {
    chain,
    keyspace: chain,
    currencies: [currency],
    addressing: createCardanoAddressing(network, accountKey),
    reader: createReader(node),
    nodes: createChainNodes(node, createReader, createWriter),
    writer: createWriter(node),
    sweeper: null,
  };
}
