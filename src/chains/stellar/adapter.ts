import { type Currency, isPayable } from "../../currencies/currency.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { ChainAdapter } from "../chain-adapter.ts";
import type { ChainWriter } from "../paying-port.ts";
import type { ChainReader, SharedAddressing } from "../port.ts";
import { createChainNodes } from "../rpc/create-chain-nodes.ts";
import { createStellarAddressing } from "./addressing.ts";
import type { Channels } from "./channels.ts";
import type { StellarHistory } from "./history.ts";
import type { StellarNetwork } from "./network.ts";
import { createStellarReader } from "./reader.ts";
import type { StellarNode } from "./stellar-node.ts";
import { createStellarWriter } from "./writer.ts";

export type StellarAdapterOptions = {
  readonly network: StellarNetwork;
  /** The chain's nodes; created with `verifyStellarNode(network)`, each is verified before it is used. */
  readonly node: StellarNode;
  /** The Ed25519 public key of the hot account, which also receives all deposits. */
  readonly hotKey: Uint8Array;
  /** See `StellarDrafting.channels`. */
  readonly channels: Channels;
  /** The deployment's currencies on this chain; tokens without an issuer cannot be received and are left out. */
  readonly currencies: readonly Currency[];
  readonly clock: Clock;
  /** Has the ledgers that the nodes no longer keep; null if there is none. It is no second opinion on payments. */
  readonly history: StellarHistory | null;
};

/** A Stellar network. Deposits share the hot account, so nothing is swept. */
export function createStellarAdapter(
  options: StellarAdapterOptions,
): ChainAdapter<SharedAddressing> {
  const { channels, clock, history, hotKey, network, node } = options;
  const { chain } = node;
  const currencies = options.currencies.filter(
    (currency) => currency.chain === chain && isPayable(currency),
  );
  const createReader = (of: StellarNode): ChainReader =>
    createStellarReader({ node: of, network, currencies, clock });
  const createWithHistory = (of: StellarNode): ChainReader =>
    createStellarReader({ node: of, network, currencies, clock, history });
  const createWriter = (of: StellarNode): ChainWriter =>
    createStellarWriter({ node: of, network, currencies, channels, clock });
  return {
    chain,
    keyspace: chain,
    currencies: currencies.map(({ id }) => id),
    addressing: createStellarAddressing(hotKey),
    reader: createWithHistory(node),
    nodes: createChainNodes(
      node,
      createReader,
      createWriter,
      history === null ? null : createWithHistory,
    ),
    writer: createWriter(node),
    sweeper: null,
  };
}
