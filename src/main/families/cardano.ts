import { createCardanoPayeeAddressing } from "../../chains/cardano/payee-addressing.ts";
import type { CardanoNetworkId } from "../../currencies/cardano-address.ts";
import type { CardanoFacts } from "../../currencies/cardano-facts.ts";
import type { Coin } from "../../currencies/coin.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { ChainConfig } from "../config/config.ts";
import type { ChainConfigFault, Family } from "./family.ts";

/**
 * One more coin costs 137 bytes at any time, 6,028 lovelace, and a transaction some 165,000 beside. Fees never get lower, so coins are merged
 * whenever some forty of them share a transaction.
 */
const lowFeePerCoin = 10_000n;
/** About 118 of them fit into a transaction, and merging pays off (`lowFeePerCoin`) from 38 more than this on. */
const coinsMax = 60;

/** Cardano. Deposits have an address each (CIP-1852), and their coins are spent where they lie. */
export function cardanoFamily(coin: Coin): Family {
  const { coinType, id } = coin.chain;
  return {
    funding: "coins",
    draftSecondsMax: null,
    lowFeePerCoin,
    coinsMax,
    balances: "queries",
    keyspace: { name: id, chain: id, addressTypes: [], defaultAddressType: "" },
    rareMembers: ["index"],
    configFaults,
    createPayeeAddressing: (config) => createCardanoPayeeAddressing(cardanoNetworkOf(coin, config)),
    signedChain: (config, assets) => ({
      family: "cardano",
      chain: id,
      network: {
        keys: config.network === "mainnet" ? "main" : "test",
        magic: cardanoNetworkOf(coin, config).magic,
        slotZero: config.network === "regtest" ? null : factsOf(coin).slotZero[config.network],
        unitsMax: present(coin.coin.supplyUnits, "a coin's supply").toString(),
      },
      assets,
    }),
    keyTree: {
      keyspace: id,
      coinType,
      isSharedByNetworks: false,
      addressTypes: [""],
      curve: "bip32-ed25519",
    },
    eip155Id: () => null,
  };
}

function configFaults({
  chain_id,
  index,
  network,
  nodes,
}: ChainConfig): readonly ChainConfigFault[] {
  const faults: ChainConfigFault[] = [];
  if ((network === "regtest") !== (chain_id !== undefined))
    faults.push(
      network === "regtest"
        ? {
            member: null,
            message: "chain_id, the network's magic, is needed for a private network",
          }
        : { member: "chain_id", message: "only private networks have a chain id" },
    );
  if (index !== undefined && index.length !== nodes.length)
    faults.push({
      member: "index",
      message: `each of the ${nodes.length} nodes needs its Kupo, in the same order`,
    });
  return faults;
}

/** The network that the configuration names: public by the coin's facts, private by its own magic. */
export function cardanoNetworkOf(coin: Coin, { chain_id, network }: ChainConfig): CardanoNetworkId {
  if (network === "regtest")
    return { kind: "test", magic: present(chain_id, "the magic of a private network") };
  const magic = factsOf(coin).magics[network];
  return { kind: network === "mainnet" ? "main" : "test", magic };
}

function factsOf({ chain }: Coin): CardanoFacts {
  assert(
    chain.family === "cardano" && chain.facts !== null,
    `${chain.id} is a chain of Cardano's family`,
  );
  return chain.facts;
}
