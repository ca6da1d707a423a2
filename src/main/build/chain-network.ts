import type { EvmNetwork } from "../../chains/evm/evm-chains.ts";
import type { UtxoNetworkName } from "../../chains/utxo/utxo-chain.ts";
import { findChain } from "../../currencies/chains.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { ChainConfig } from "../config/config.ts";

/** Maps the configuration's network names to those of the UTXO adapters. */
export const utxoNetworks: Record<ChainConfig["network"], UtxoNetworkName> = {
  mainnet: "main",
  testnet: "test",
  regtest: "regtest",
};

/** Identifies the network of an EVM chain. */
export function evmNetwork(chain: string, config: ChainConfig): EvmNetwork {
  const ids = present(findChain(chain)?.evmChainIds, `chain ids of ${chain}`);
  return {
    chainId: config.chain_id ?? (config.network === "mainnet" ? ids.mainnet : ids.testnet),
    genesisHash: config.genesis_hash ?? null,
  };
}
