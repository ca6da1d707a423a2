import { type Currency, isPayable } from "../../currencies/currency.ts";
import type { XrplNetworkKind } from "../../currencies/xrpl-address.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { ChainAdapter } from "../chain-adapter.ts";
import type { ChainWriter } from "../paying-port.ts";
import type { ChainReader, SharedAddressing } from "../port.ts";
import { createChainNodes } from "../rpc/create-chain-nodes.ts";
import { createXrplAddressing } from "./addressing.ts";
import type { XrplNetwork } from "./network.ts";
import { createXrplReader } from "./reader.ts";
import type { RippledNode } from "./rippled-node.ts";
import { createXrplWriter } from "./writer.ts";

export type XrplAdapterOptions = {
  readonly network: XrplNetwork;
  /** Which X-addresses are the network's. */
  readonly kind: XrplNetworkKind;
  /** The chain's nodes; created with `verifyRippledNode(network)`, each is verified before it is used. */
  readonly node: RippledNode;
  /** The extended public key of the hot account, m/44'/144'/1', which also receives all deposits. */
  readonly hotXpub: string;
  /** The deployment's currencies on this chain. */
  readonly currencies: readonly Currency[];
  readonly clock: Clock;
};

/** A network of the XRP Ledger. Deposits share the hot account, so nothing is swept. */
export function createXrplAdapter(options: XrplAdapterOptions): ChainAdapter<SharedAddressing> {
  const { clock, hotXpub, kind, network, node } = options;
  const { chain } = node;
  const currencies = options.currencies.filter(
    (currency) => currency.chain === chain && isPayable(currency),
  );
  const createReader = (of: RippledNode): ChainReader =>
    createXrplReader({ node: of, network, currencies, clock });
  const createWriter = (of: RippledNode): ChainWriter =>
    createXrplWriter({ node: of, network, currencies });
  return {
    chain,
    keyspace: chain,
    currencies: currencies.map(({ id }) => id),
    addressing: createXrplAddressing(kind, hotXpub),
    reader: createReader(node),
    nodes: createChainNodes(node, createReader, createWriter),
    writer: createWriter(node),
    sweeper: null,
  };
}
