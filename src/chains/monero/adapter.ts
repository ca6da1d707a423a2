import type { MoneroNetworkFacts } from "../../currencies/monero-facts.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { ChainAdapter } from "../chain-adapter.ts";
import type { ChainReader, DerivedAddressing } from "../port.ts";
import { createChainNodes } from "../rpc/create-chain-nodes.ts";
import { createMoneroAddressing } from "./addressing.ts";
import { secretKeyOf } from "./crypto/points.ts";
import type { MonerodNode } from "./monerod-node.ts";
import { createMoneroReader } from "./reader.ts";

export type MoneroAdapterOptions = {
  readonly network: MoneroNetworkFacts;
  /** The chain's nodes; created with `verifyMonerod(network)`, each is verified before it is used. */
  readonly node: MonerodNode;
  readonly currency: CurrencyId;
  /** The account's secret view key and public spend key, 32 bytes each. */
  readonly viewKey: Uint8Array;
  readonly spendKey: Uint8Array;
  readonly clock: Clock;
};

/** A Monero network, as the owner of an account's view key sees it. Throws `InvariantViolation` for keys that are none. */
export function createMoneroAdapter(
  options: MoneroAdapterOptions,
): ChainAdapter<DerivedAddressing> {
  const { clock, currency, network, node, spendKey, viewKey } = options;
  const viewSecret = secretKeyOf(viewKey);
  const createReader = (of: MonerodNode): ChainReader =>
    createMoneroReader({ node: of, network, currency, viewSecret, clock });
  return {
    chain: node.chain,
    keyspace: node.chain,
    currencies: [currency],
    addressing: createMoneroAddressing(network.addressPrefixes, { viewSecret, spendKey }),
    reader: createReader(node),
    nodes: createChainNodes(node, createReader, () => null),
    writer: null,
    sweeper: null,
  };
}
