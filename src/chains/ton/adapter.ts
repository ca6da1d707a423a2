import { type Currency, isPayable } from "../../currencies/currency.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { ChainAdapter } from "../chain-adapter.ts";
import type { ChainWriter } from "../paying-port.ts";
import type { ChainReader, SharedAddressing } from "../port.ts";
import { createChainNodes } from "../rpc/create-chain-nodes.ts";
import { createTonAddressing } from "./addressing.ts";
import type { TonNetwork } from "./network.ts";
import { createTonReader } from "./reader.ts";
import type { ToncenterNode } from "./toncenter-node.ts";
import { createTonWriter } from "./writer.ts";

export type TonAdapterOptions = {
  readonly network: TonNetwork;
  /** The chain's nodes; created with `verifyToncenterNode(network)`, each is verified before it is used. */
  readonly node: ToncenterNode;
  /** The Ed25519 public key of the hot wallet, which also receives all deposits. */
  readonly hotKey: Uint8Array;
  /** The deployment's currencies on this chain; tokens without a master cannot be received and are left out. */
  readonly currencies: readonly Currency[];
  readonly clock: Clock;
  /** Accounts that are read besides, in their canonical spelling. */
  readonly otherAccounts?: readonly string[];
};

/** A network of TON. Deposits share the hot account, so nothing is swept. */
export function createTonAdapter(options: TonAdapterOptions): ChainAdapter<SharedAddressing> {
  const { clock, hotKey, network, node, otherAccounts = [] } = options;
  const { chain } = node;
  const currencies = options.currencies.filter(
    (currency) => currency.chain === chain && isPayable(currency),
  );
  const addressing = createTonAddressing(network.kind, hotKey);
  const accounts = [addressing.treasury.hot.address, ...otherAccounts];
  const createReader = (of: ToncenterNode): ChainReader =>
    createTonReader({ node: of, network, accounts, currencies, clock });
  const createWriter = (of: ToncenterNode): ChainWriter =>
    createTonWriter({ node: of, network, accounts, currencies, hotKey, clock });
  return {
    chain,
    keyspace: chain,
    currencies: currencies.map(({ id }) => id),
    addressing,
    reader: createReader(node),
    nodes: createChainNodes(node, createReader, createWriter),
    writer: createWriter(node),
    sweeper: null,
  };
}
