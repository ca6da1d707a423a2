import type { EvmNetwork } from "../chains/evm/evm-chains.ts";
import { verifyEvmNode } from "../chains/evm/verify-network.ts";
import { createJsonRpc, type JsonRpc } from "../chains/rpc/json-rpc.ts";
import { verifyUtxoNode } from "../chains/utxo/verify-network.ts";
import { findChain } from "../currencies/chains.ts";
import { present } from "../kernel/assert.ts";
import type { World } from "../kernel/world.ts";
import { findUtxoChain } from "./chain-keyspace.ts";
import type { ChainConfig } from "./config/config.ts";
import { utxoNetworks } from "./payee-addressing.ts";

export type RpcGround = World;

const timeoutMs = 15_000;

/** The configured nodes of a chain; each is checked to be of its network before it answers. */
export function openRpc(world: RpcGround, chain: string, config: ChainConfig): JsonRpc {
  const { clock, logger, random } = world;
  const utxo = findUtxoChain(chain);
  const verify =
    utxo === null
      ? verifyEvmNode(evmNetwork(chain, config))
      : verifyUtxoNode(utxo.networks[utxoNetworks[config.network]]);
  return createJsonRpc({
    urls: config.nodes,
    ...{ chain, clock, logger, random, verify, timeoutMs },
  });
}

/** What tells the network of an EVM chain from all others. */
export function evmNetwork(chain: string, config: ChainConfig): EvmNetwork {
  const ids = present(findChain(chain)?.evmChainIds, `chain ids of ${chain}`);
  return {
    chainId: config.chain_id ?? (config.network === "mainnet" ? ids.mainnet : ids.testnet),
    genesisHash: config.genesis_hash ?? null,
  };
}
