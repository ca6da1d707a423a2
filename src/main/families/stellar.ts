import type { StellarNetwork } from "../../chains/stellar/network.ts";
import { createStellarPayeeAddressing } from "../../chains/stellar/payee-addressing.ts";
import type { Coin } from "../../currencies/coin.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { ChainConfig } from "../config/config.ts";
import type { Family } from "./family.ts";

/** The signer signs nothing that expires later. */
const draftSecondsMax = 3_600;

/** Stellar. Deposits share the hot account, and a memo tells them apart. */
export function stellarFamily(coin: Coin): Family {
  const { id, coinType } = coin.chain;
  return {
    funding: "account",
    draftSecondsMax,
    balances: "queries",
    keyspace: { name: id, chain: id, addressTypes: [], defaultAddressType: "" },
    rareMembers: ["network_passphrase", "history", "channels"],
    configFaults: ({ chain_id, network, network_passphrase }) => {
      if (chain_id !== undefined)
        return [{ member: "chain_id", message: "networks of Stellar have no chain id" }];
      if ((network === "regtest") === (network_passphrase !== undefined)) return [];
      return network === "regtest"
        ? [{ member: null, message: "a private network needs its network_passphrase" }]
        : [{ member: "network_passphrase", message: "only private networks have their own" }];
    },
    createPayeeAddressing: () => createStellarPayeeAddressing(),
    signedChain: (config, assets) => ({
      family: "stellar",
      chain: id,
      network: config.network === "mainnet" ? "main" : "test",
      passphrase: stellarNetworkOf(coin, config).passphrase,
      channels: config.channels ?? 0,
      assets,
    }),
    keyTree: {
      keyspace: id,
      coinType,
      isSharedByNetworks: false,
      addressTypes: ["hot", "channels"],
      curve: "ed25519",
      sharesAccount: true,
    },
    eip155Id: () => null,
  };
}

/** The network that the configuration names: public by the coin's facts, private by its own passphrase. */
export function stellarNetworkOf(
  { chain }: Coin,
  { network, network_passphrase }: ChainConfig,
): StellarNetwork {
  assert(
    chain.family === "stellar" && chain.facts !== null,
    `${chain.id} is a chain of Stellar's family`,
  );
  if (network === "regtest")
    return { passphrase: present(network_passphrase, "the passphrase of a private network") };
  return { passphrase: chain.facts.passphrases[network] };
}
