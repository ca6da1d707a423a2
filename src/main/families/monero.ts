import { createMoneroPayeeAddressing } from "../../chains/monero/payee-addressing.ts";
import type { Coin } from "../../currencies/coin.ts";
import type { MoneroNetworkFacts } from "../../currencies/monero-facts.ts";
import { assert } from "../../platform/kernel/assert.ts";
import type { ChainConfig } from "../config/config.ts";
import type { ChainConfigFault, Family } from "./family.ts";

/**
 * One more coin weighs 679 bytes. Nodes ask 80,000 piconero per byte for the usual priority while blocks have room, which is nearly always: 54
 * million.
 */
const lowFeePerCoin = 70_000_000n;
/** A transaction spends 120 of them at most. */
const coinsMax = 60;

/** Monero. Deposits are subaddresses of one account, which the worker watches with its view key. */
export function moneroFamily(coin: Coin): Family {
  const { id, coinType } = coin.chain;
  return {
    funding: "coins",
    draftSecondsMax: null,
    lowFeePerCoin,
    coinsMax,
    balances: "none",
    keyspace: { name: id, chain: id, addressTypes: [], defaultAddressType: "" },
    rareMembers: ["wallet"],
    configFaults,
    createPayeeAddressing: (config) =>
      createMoneroPayeeAddressing(moneroNetworkOf(coin, config).addressPrefixes),
    signedChain: (config, assets) => ({
      family: "monero",
      chain: id,
      network: config.network === "mainnet" ? "main" : "test",
      addresses: moneroNetworkOf(coin, config).addresses,
      assets,
    }),
    keyTree: {
      keyspace: id,
      coinType,
      isSharedByNetworks: false,
      addressTypes: [""],
      curve: "view-and-spend",
    },
    eip155Id: () => null,
  };
}

function configFaults({ chain_id, wallet }: ChainConfig): readonly ChainConfigFault[] {
  return [
    ...(chain_id === undefined
      ? []
      : [{ member: "chain_id", message: "only EVM chains have a chain id" } as const]),
    ...(wallet === undefined
      ? [{ member: null, message: "wallet is needed: the URL of a monero-wallet-rpc" } as const]
      : []),
  ];
}

/** The network that the configuration names. */
export function moneroNetworkOf({ chain }: Coin, { network }: ChainConfig): MoneroNetworkFacts {
  assert(
    chain.family === "monero" && chain.facts !== null,
    `${chain.id} is a chain of Monero's family`,
  );
  return chain.facts.networks[network];
}
