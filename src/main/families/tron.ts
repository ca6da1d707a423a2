import { createTronPayeeAddressing } from "../../chains/tron/payee-addressing.ts";
import type { Coin } from "../../currencies/coin.ts";
import type { Family } from "./family.ts";

/** The signer signs nothing that expires later. */
const draftSecondsMax = 3_600;

/** TRON. */
export function tronFamily(coin: Coin): Family {
  const { id, coinType } = coin.chain;
  return {
    funding: "account",
    draftSecondsMax,
    balances: "queries",
    keyspace: { name: id, chain: id, addressTypes: [], defaultAddressType: "" },
    configFaults: ({ chain_id }) =>
      chain_id === undefined
        ? []
        : [{ member: "chain_id", message: "only EVM chains have a chain id" }],
    createPayeeAddressing: (_config, currencies) =>
      createTronPayeeAddressing(currencies.onChain(id)),
    signedChain: ({ network }, assets) => ({
      family: "tron",
      chain: id,
      network: network === "mainnet" ? "main" : "test",
      assets,
    }),
    keyTree: {
      keyspace: id,
      coinType,
      isSharedByNetworks: false,
      addressTypes: ["", "hot", "gas"],
    },
    eip155Id: () => null,
  };
}
