import type { AlgorandNetwork } from "../../chains/algorand/network.ts";
import { createAlgorandPayeeAddressing } from "../../chains/algorand/payee-addressing.ts";
import type { Coin } from "../../currencies/coin.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { ChainConfig } from "../config/config.ts";
import type { ChainConfigFault, Family } from "./family.ts";

/** 1,000 rounds, and nothing is signed that is valid for longer. */
const draftSecondsMax = 3_600;

/** Algorand. The signer creates deposit addresses, and each is activated before its deposit shows it. */
export function algorandFamily(coin: Coin): Family {
  const { id, coinType } = coin.chain;
  return {
    funding: "account",
    draftSecondsMax,
    balances: "queries",
    keyspace: {
      name: id,
      chain: id,
      addressTypes: [],
      defaultAddressType: "",
      needsActivation: true,
    },
    configFaults: (config) => [...chainIdFaults(config), ...genesisFaults(config)],
    createPayeeAddressing: createAlgorandPayeeAddressing,
    signedChain: (config, assets) => ({
      family: "algorand",
      chain: id,
      network: config.network === "mainnet" ? "main" : "test",
      genesisHash: algorandNetworkOf(coin, config).genesisHash,
      assets,
    }),
    keyTree: {
      keyspace: id,
      coinType,
      isSharedByNetworks: false,
      addressTypes: ["", "hot", "gas"],
      curve: "ed25519",
    },
    eip155Id: () => null,
  };
}

function chainIdFaults({ chain_id }: ChainConfig): readonly ChainConfigFault[] {
  return chain_id === undefined
    ? []
    : [{ member: "chain_id", message: "only EVM chains have a chain id" }];
}

function genesisFaults({ genesis_hash, network }: ChainConfig): readonly ChainConfigFault[] {
  if (network !== "regtest")
    return genesis_hash === undefined
      ? []
      : [{ member: "genesis_hash", message: "only private networks have a genesis hash here" }];
  if (genesis_hash === undefined)
    return [{ member: null, message: "genesis_hash is needed for a private network" }];
  return /^[A-Za-z0-9+/]{43}=$/.test(genesis_hash)
    ? []
    : [{ member: "genesis_hash", message: "must be 32 bytes in base64" }];
}

/** The network that the configuration names: public by the coin's facts, private by its own genesis hash. */
export function algorandNetworkOf(
  { chain }: Coin,
  { genesis_hash, network }: ChainConfig,
): AlgorandNetwork {
  assert(
    chain.family === "algorand" && chain.facts !== null,
    `${chain.id} is a chain of Algorand's family`,
  );
  if (network === "regtest")
    return { genesisHash: present(genesis_hash, "the genesis hash of a private network") };
  return { genesisHash: chain.facts.genesisHashes[network] };
}
