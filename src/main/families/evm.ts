import { type EvmChain, type EvmNetwork, evmChainOf } from "../../chains/evm/evm-chain.ts";
import { evmKeyspace } from "../../chains/evm/evm-keyspace.ts";
import { createEvmPayeeAddressing } from "../../chains/evm/payee-addressing.ts";
import type { Coin } from "../../currencies/coin.ts";
import { assert } from "../../platform/kernel/assert.ts";
import { parseDecimal } from "../../platform/kernel/decimal.ts";
import type { ChainConfig } from "../config/config.ts";
import type { ChainConfigFault, Family } from "./family.ts";

/** Decimals of every chain's coin. */
const coinExp = 18;

/** Ethereum and the chains that run its virtual machine. */
export function evmFamily(coin: Coin): Family {
  const { id } = coin.chain;
  return {
    funding: "account",
    draftSecondsMax: null,
    balances: "queries",
    keyspace: { name: evmKeyspace, chain: id, addressTypes: [], defaultAddressType: "" },
    rareMembers: ["node_fee_max"],
    configFaults,
    createPayeeAddressing: (_config, currencies) =>
      createEvmPayeeAddressing(currencies.onChain(id)),
    signedChain: (config, assets) => {
      const { chainId } = evmNetworkOf(coin, config);
      return { family: "evm", chain: id, chainId, assets };
    },
    keyTree: {
      keyspace: evmKeyspace,
      coinType: coin.chain.coinType,
      isSharedByNetworks: true,
      addressTypes: ["", "hot", "gas"],
    },
    eip155Id: (config) => evmNetworkOf(coin, config).chainId,
  };
}

function configFaults({
  chain_id,
  network,
  node_fee_max = "0",
}: ChainConfig): readonly ChainConfigFault[] {
  const isAmount = parseDecimal(node_fee_max, coinExp).kind === "units";
  return [
    ...(network === "regtest" && chain_id === undefined
      ? [{ member: null, message: "chain_id is needed for a private network" }]
      : []),
    ...(isAmount
      ? []
      : [{ member: "node_fee_max" as const, message: `has more than ${coinExp} decimals` }]),
  ];
}

/** The chain with the configured limit of its nodes. */
export function configuredChainOf(coin: Coin, { node_fee_max }: ChainConfig): EvmChain {
  const chain = evmChainOf(coin);
  if (node_fee_max === undefined) return chain;
  const parsed = parseDecimal(node_fee_max, coinExp);
  assert(parsed.kind === "units", `an amount of ${coin.chain.id}`);
  return { ...chain, nodeFeeMost: parsed.units === 0n ? null : parsed.units };
}

/** The network that the configuration names: public by the coin's facts, private by its own chain id. */
export function evmNetworkOf(
  coin: Coin,
  { chain_id, genesis_hash, network }: ChainConfig,
): EvmNetwork {
  const { mainnet, testnet } = evmChainOf(coin).chainIds;
  return {
    chainId: chain_id ?? (network === "mainnet" ? mainnet : testnet),
    genesisHash: genesis_hash ?? null,
  };
}
