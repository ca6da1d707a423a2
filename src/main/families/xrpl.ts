import type { XrplNetwork } from "../../chains/xrpl/network.ts";
import { createXrplPayeeAddressing } from "../../chains/xrpl/payee-addressing.ts";
import type { Coin } from "../../currencies/coin.ts";
import type { XrplNetworkKind } from "../../currencies/xrpl-address.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { ChainConfig } from "../config/config.ts";
import type { Family } from "./family.ts";

/** The XRP Ledger. Deposits share the hot account, and each spells its tag in an X-address or shows it beside the account. */
export function xrplFamily(coin: Coin): Family {
  const { id, coinType } = coin.chain;
  return {
    funding: "account",
    draftSecondsMax: null,
    balances: "queries",
    keyspace: {
      name: id,
      chain: id,
      addressTypes: ["x-address", "address"],
      defaultAddressType: "x-address",
      pooledAs: "",
    },
    configFaults: ({ chain_id, network }) =>
      (network === "regtest") === (chain_id !== undefined)
        ? []
        : network === "regtest"
          ? [
              {
                member: null,
                message: "chain_id, the network's number, is needed for a private network",
              },
            ]
          : [{ member: "chain_id", message: "only private networks have a chain id" }],
    createPayeeAddressing: (config) => createXrplPayeeAddressing(addressKindOf(config)),
    signedChain: (config, assets) => ({
      family: "xrpl",
      chain: id,
      network: config.network === "mainnet" ? "main" : "test",
      networkId: xrplNetworkOf(coin, config).networkId,
      assets,
    }),
    keyTree: {
      keyspace: id,
      coinType,
      isSharedByNetworks: false,
      addressTypes: ["hot"],
      sharesAccount: true,
    },
    eip155Id: () => null,
  };
}

/** The network that the configuration names: public by the coin's facts, private by its own number. */
export function xrplNetworkOf({ chain }: Coin, { chain_id, network }: ChainConfig): XrplNetwork {
  assert(
    chain.family === "xrpl" && chain.facts !== null,
    `${chain.id} is a chain of the XRP Ledger's family`,
  );
  if (network === "regtest")
    return { networkId: present(chain_id, "the number of a private network") };
  return { networkId: chain.facts.networkIds[network] };
}

/** X-addresses say whether they are for the main network. */
export function addressKindOf({ network }: ChainConfig): XrplNetworkKind {
  return network === "mainnet" ? "main" : "test";
}
