import { createJsonRpc } from "../../chains/rpc/json-rpc.ts";
import { createUtxoAdapter } from "../../chains/utxo/adapter.ts";
import { createUtxoPayeeAddressing } from "../../chains/utxo/payee-addressing.ts";
import { type UtxoChain, utxoChainOf } from "../../chains/utxo/utxo-chain.ts";
import { verifyUtxoNode } from "../../chains/utxo/verify-network.ts";
import { createUtxoWriter } from "../../chains/utxo/writer.ts";
import type { Coin } from "../../currencies/coin.ts";
import type { AddressTypeName, UtxoNetworkName } from "../../currencies/utxo-facts.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { UtxoNetwork } from "../../signer/utxo/utxo-network.ts";
import type { ChainConfig } from "../config/config.ts";
import { type ChainContext, type ConnectedChain, type Family, xpubOf } from "./family.ts";
import { nodeOptions } from "./node-options.ts";

/** The configuration's network names, as the chains' nodes and our adapters name them. */
const networkNames: Readonly<Record<ChainConfig["network"], UtxoNetworkName>> = {
  mainnet: "main",
  testnet: "test",
  regtest: "regtest",
};

/** Bitcoin and the chains derived from it. */
export function utxoFamily(coin: Coin): Family {
  const chain = utxoChainOf(coin);
  const { chain: id, coinType } = chain;
  const addressTypes = Object.keys(chain.dustUnits);
  return {
    funding: "coins",
    draftSecondsMax: null,
    scansForBalances: true,
    keyspace: {
      name: id,
      chain: id,
      addressTypes,
      defaultAddressType: chain.defaultAddressType,
    },
    configFaults: ({ chain_id }) =>
      chain_id === undefined
        ? []
        : [{ member: "chain_id", message: "only EVM chains have a chain id" }],
    createPayeeAddressing: ({ network }) => createUtxoPayeeAddressing(chain, networkNames[network]),
    connect: (context) => connect(chain, context),
    signedChain: ({ network }, assets) => ({
      family: "utxo",
      chain: id,
      network: signedNetworkOf(coin, networkNames[network]),
      assets,
    }),
    keyTree: { keyspace: id, coinType, isSharedByNetworks: false, addressTypes },
    eip155Id: () => null,
  };
}

function connect(chain: UtxoChain, context: ChainContext): ConnectedChain {
  const { clock, config } = context;
  const network = networkNames[config.network];
  const rpc = createJsonRpc({
    ...nodeOptions(context, chain.chain),
    verify: verifyUtxoNode(chain.networks[network]),
  });
  const types = Object.keys(chain.dustUnits) as readonly AddressTypeName[];
  return {
    createAdapter: (keys) =>
      createUtxoAdapter({
        chain,
        network,
        rpc,
        accountKeys: Object.fromEntries(
          types.map((type) => [type, xpubOf(keys, chain.chain, type)]),
        ),
        clock,
      }),
    createQuoter: () => createUtxoWriter({ chain, network, rpc, clock }),
    close: rpc.close,
  };
}

/** What the signer has to know about a network of the coin. */
export function signedNetworkOf(coin: Coin, name: UtxoNetworkName): UtxoNetwork {
  const { coinType, networks } = utxoChainOf(coin);
  const { publicKeyHashPrefix, scriptHashPrefixes, segwitPrefix } = networks[name];
  const [scriptHashPrefix] = scriptHashPrefixes;
  return {
    bech32: segwitPrefix,
    pubKeyHash: Number.parseInt(publicKeyHashPrefix, 16),
    scriptHash: Number.parseInt(present(scriptHashPrefix, "a prefix of script hashes"), 16),
    coinType,
    keys: name === "main" ? "main" : "test",
    unitsMax: present(coin.coin.supplyUnits, "a coin's supply").toString(),
  };
}
