import type { TonNetwork } from "../../chains/ton/network.ts";
import { createTonPayeeAddressing } from "../../chains/ton/payee-addressing.ts";
import type { Coin } from "../../currencies/coin.ts";
import type { Currency } from "../../currencies/currency.ts";
import { jetton, tokenOf } from "../../currencies/token-format.ts";
import type { TonNetworkKind } from "../../currencies/ton-address.ts";
import type { JettonWalletForm } from "../../currencies/ton-facts.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { ChainConfig } from "../config/config.ts";
import type { ChainConfigFault, Family } from "./family.ts";

/** An hour, as the highload wallet has it, and the minute until a masterchain block refers to the last block of a shard. */
const draftSecondsMax = 3_660;

/** TON. Deposits share the hot account, and a comment tells them apart. */
export function tonFamily(coin: Coin): Family {
  const { id, coinType } = coin.chain;
  return {
    funding: "account",
    draftSecondsMax,
    balances: "queries",
    keyspace: { name: id, chain: id, addressTypes: [], defaultAddressType: "" },
    rareMembers: ["global_id", "jetton_wallets"],
    configFaults: (config, currencies) => [
      ...networkFaults(config),
      ...jettonFaults(coin, config, currencies),
    ],
    createPayeeAddressing: (config) => createTonPayeeAddressing(addressKindOf(config)),
    signedChain: (config, assets) => ({
      family: "ton",
      chain: id,
      network: config.network === "mainnet" ? "main" : "test",
      jettonWallets: tonNetworkOf(coin, config).jettonWallets,
      assets,
    }),
    keyTree: {
      keyspace: id,
      coinType,
      isSharedByNetworks: false,
      addressTypes: ["hot"],
      curve: "ed25519",
      sharesAccount: true,
    },
    eip155Id: () => null,
  };
}

function networkFaults({ chain_id, global_id, network }: ChainConfig): readonly ChainConfigFault[] {
  if (chain_id !== undefined)
    return [{ member: "chain_id", message: "networks of TON have a global_id instead" }];
  if ((network === "regtest") === (global_id !== undefined)) return [];
  return network === "regtest"
    ? [{ member: null, message: "a private network needs its global_id" }]
    : [{ member: "global_id", message: "only private networks have their own" }];
}

function jettonFaults(
  coin: Coin,
  { jetton_wallets = {} }: ChainConfig,
  currencies: readonly Currency[],
): readonly ChainConfigFault[] {
  const faults = Object.keys(jetton_wallets).flatMap((master) => {
    const read = jetton.parse(master);
    return "fault" in read ? [`a master ${read.fault}`] : [];
  });
  const known = faults.length === 0 ? jettonWalletsOf(coin, jetton_wallets) : {};
  const unknown = currencies.flatMap(({ alpha, token }) =>
    token === null || Object.hasOwn(known, token.locator)
      ? []
      : [`${alpha} needs the code of its wallets, under "${token.contract}"`],
  );
  return (faults.length === 0 ? unknown : faults).map((message) => ({
    member: "jetton_wallets",
    message,
  }));
}

/** The network that the configuration names: public by the coin's facts, private by its own number. */
export function tonNetworkOf(coin: Coin, config: ChainConfig): TonNetwork {
  const { global_id, jetton_wallets = {}, network } = config;
  const { globalIds } = factsOf(coin);
  return {
    kind: addressKindOf(config),
    globalId:
      network === "regtest"
        ? present(global_id, "the number of a private network")
        : globalIds[network],
    jettonWallets: jettonWalletsOf(coin, jetton_wallets),
  };
}

/** The wallets of known jettons and of those in the configuration, which come first, by locator. */
function jettonWalletsOf(
  coin: Coin,
  configured: NonNullable<ChainConfig["jetton_wallets"]>,
): Readonly<Record<string, JettonWalletForm>> {
  return {
    ...factsOf(coin).jettonWallets,
    ...Object.fromEntries(
      Object.entries(configured).map(([master, { code_depth, code_hash, layout }]) => [
        tokenOf(jetton, master).locator,
        { codeHash: code_hash, codeDepth: code_depth, layout },
      ]),
    ),
  };
}

function factsOf({ chain }: Coin) {
  assert(chain.family === "ton" && chain.facts !== null, `${chain.id} is a chain of TON's family`);
  return chain.facts;
}

/** Addresses say whether they are for test networks only. */
function addressKindOf({ network }: ChainConfig): TonNetworkKind {
  return network === "mainnet" ? "main" : "test";
}
