import { type Currency, isPayable } from "../../currencies/currency.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { TreasuryXpubs } from "../account-addressing.ts";
import type { ChainAdapter } from "../chain-adapter.ts";
import type { ChainWriter } from "../paying-port.ts";
import type { ChainReader, DerivedAddressing } from "../port.ts";
import { createChainNodes } from "../rpc/create-chain-nodes.ts";
import { createTronAddressing } from "./addressing.ts";
import type { TronNetwork } from "./network.ts";
import { createTronReader } from "./reader.ts";
import { createTronSweeper } from "./sweeper.ts";
import type { TronNode } from "./tron-node.ts";
import { createTronWriter } from "./writer.ts";

export type TronAdapterOptions = {
  readonly network: TronNetwork;
  /** The chain's nodes; created with `verifyTronNode(network)`, each is verified before it is used. */
  readonly node: TronNode;
  /** The extended public key of the deposits' account, m/44'/195'/0'. */
  readonly accountXpub: string;
  /** Extended public keys of the paying accounts; null if the deployment only receives. */
  readonly treasuryXpubs: TreasuryXpubs | null;
  /** The deployment's currencies on this chain; tokens without a contract cannot be received and are left out. */
  readonly currencies: readonly Currency[];
  readonly clock: Clock;
};

/** A TRON network. */
export function createTronAdapter(options: TronAdapterOptions): ChainAdapter<DerivedAddressing> {
  const { network, node, clock, treasuryXpubs } = options;
  const { chain } = node;
  const currencies = options.currencies.filter(
    (currency) => currency.chain === chain && isPayable(currency),
  );
  const createReader = (of: TronNode): ChainReader =>
    createTronReader({ node: of, network, currencies, clock });
  const createWriter = (of: TronNode): ChainWriter | null =>
    treasuryXpubs === null ? null : createTronWriter({ node: of, currencies, clock });
  const addressing = createTronAddressing(options.accountXpub, currencies, treasuryXpubs);
  const { treasury } = addressing;
  return {
    chain,
    keyspace: chain,
    currencies: currencies.map(({ id }) => id),
    addressing,
    reader: createReader(node),
    nodes: createChainNodes(node, createReader, createWriter),
    writer: createWriter(node),
    sweeper: treasury === null ? null : createTronSweeper({ node, currencies, treasury, clock }),
  };
}
