import { createUtxoPayeeAddressing } from "../../chains/utxo/payee-addressing.ts";
import { utxoChainOf } from "../../chains/utxo/utxo-chain.ts";
import type { Coin } from "../../currencies/coin.ts";
import type { UtxoNetworkName } from "../../currencies/utxo-facts.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { UtxoNetwork } from "../../signer/utxo/utxo-network.ts";
import type { ChainConfig } from "../config/config.ts";
import type { Family } from "./family.ts";

/** The configuration's network names, as the chains' nodes and our adapters name them. */
export const utxoNetworkNames: Readonly<Record<ChainConfig["network"], UtxoNetworkName>> = {
  mainnet: "main",
  testnet: "test",
  regtest: "regtest",
};

/** Bitcoin and the chains derived from it. */
export function utxoFamily(coin: Coin): Family {
  const chain = utxoChainOf(coin);
  const { addressTypes, chain: id, coinType, spellings } = chain;
  return {
    funding: "coins",
    draftSecondsMax: null,
    ...(chain.lowFeePerCoin === undefined ? {} : { lowFeePerCoin: chain.lowFeePerCoin }),
    balances: chain.balances === "index" ? "queries" : chain.balances,
    keyspace: {
      name: id,
      chain: id,
      // The type without a name is not offered.
      addressTypes: spellings ?? addressTypes.filter((name) => name !== ""),
      defaultAddressType: spellings?.[0] ?? chain.defaultAddressType,
      ...(spellings === undefined ? {} : { pooledAs: chain.defaultAddressType }),
    },
    configFaults: ({ chain_id }) =>
      chain_id === undefined
        ? []
        : [{ member: "chain_id", message: "only EVM chains have a chain id" }],
    createPayeeAddressing: ({ network }) =>
      createUtxoPayeeAddressing(chain, utxoNetworkNames[network]),
    signedChain: ({ network }, assets) => ({
      family: "utxo",
      chain: id,
      network: signedNetworkOf(coin, utxoNetworkNames[network]),
      assets,
    }),
    keyTree: { keyspace: id, coinType, isSharedByNetworks: false, addressTypes },
    eip155Id: () => null,
  };
}

/** What the signer has to know about a network of the coin. */
export function signedNetworkOf(coin: Coin, name: UtxoNetworkName): UtxoNetwork {
  const { coinType, networks, ...facts } = utxoChainOf(coin);
  const { cashAddressPrefix, publicKeyHashPrefix, scriptHashPrefixes, segwitPrefix } =
    networks[name];
  return {
    addressTypes: facts.addressTypes,
    segwitPrefix,
    publicKeyHashPrefix,
    scriptHashPrefix: scriptHashPrefixes[0],
    signatureHash: facts.signatureHash,
    transactionFormat: facts.transactionFormat,
    cashAddressPrefix: cashAddressPrefix ?? null,
    replacement: facts.replacement,
    coinType,
    keys: name === "main" ? "main" : "test",
    unitsMax: present(coin.coin.supplyUnits, "a coin's supply").toString(),
  };
}
