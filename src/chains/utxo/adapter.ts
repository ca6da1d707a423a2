import type { UtxoNetworkName } from "../../currencies/utxo-facts.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { ChainAdapter } from "../chain-adapter.ts";
import type { ChainWriter } from "../paying-port.ts";
import type { ChainReader, DerivedAddressing } from "../port.ts";
import { createChainNodes } from "../rpc/create-chain-nodes.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import { type AccountKeys, createAddressing } from "./addressing.ts";
import { createUtxoReader } from "./reader.ts";
import type { UtxoChain } from "./utxo-chain.ts";
import { createUtxoWriter } from "./writer.ts";

export type UtxoAdapterOptions = {
  readonly chain: UtxoChain;
  readonly network: UtxoNetworkName;
  /** The chain's nodes; created with `verifyUtxoNode`, each is verified before it is used. */
  readonly rpc: JsonRpc;
  readonly accountKeys: AccountKeys;
  readonly clock: Clock;
};

/** One chain of the Bitcoin family. Throws for invalid account keys, see `accountKeyVersion`. */
export function createUtxoAdapter(options: UtxoAdapterOptions): ChainAdapter<DerivedAddressing> {
  const { chain, network, rpc, accountKeys, clock } = options;
  const createReader = (client: JsonRpc): ChainReader =>
    createUtxoReader(chain, chain.networks[network], client, clock);
  const createWriter = (client: JsonRpc): ChainWriter =>
    createUtxoWriter({ chain, network, rpc: client, clock });
  return {
    chain: chain.chain,
    keyspace: chain.chain,
    currencies: [chain.currency],
    addressing: createAddressing(chain, network, accountKeys),
    reader: createReader(rpc),
    nodes: createChainNodes(rpc, createReader, createWriter),
    writer: createWriter(rpc),
    sweeper: null,
  };
}
