import { verifyEvmNode } from "../../chains/evm/verify-network.ts";
import { createJsonRpc, type JsonRpc } from "../../chains/rpc/json-rpc.ts";
import { verifyUtxoNode } from "../../chains/utxo/verify-network.ts";
import type { World } from "../../platform/kernel/world.ts";
import type { ChainConfig } from "../config/config.ts";
import { findUtxoChain } from "./chain-keyspace.ts";
import { evmNetwork, utxoNetworks } from "./chain-network.ts";

const timeoutMs = 15_000;

/** Connects to the configured nodes of a chain. Each node must prove that it is on the right network before its answers count. */
export function createChainRpc(world: World, chain: string, config: ChainConfig): JsonRpc {
  const { clock, logger, random } = world;
  const utxo = findUtxoChain(chain);
  const verify =
    utxo === null
      ? verifyEvmNode(evmNetwork(chain, config))
      : verifyUtxoNode(utxo.networks[utxoNetworks[config.network]]);
  return createJsonRpc({
    urls: config.nodes,
    chain,
    clock,
    logger,
    random,
    verify,
    timeoutMs,
  });
}
