/** The UTXO chains that the signer signs for, with its own table of what distinguishes their networks. */
export type UtxoChainName = "BTC" | "LTC";
export type UtxoNetworkName = "main" | "test" | "regtest";

/** Address prefixes as @scure/btc-signer names them, and the coin's number in key paths. */
export type UtxoNetwork = {
  readonly bech32: string;
  readonly pubKeyHash: number;
  readonly scriptHash: number;
  readonly wif: number;
  /** SLIP-44; 1 on every test network. */
  readonly coinType: number;
  /** BIP-44's account: 0, and on test networks the coin's SLIP-44 number, which keeps the coins' keys apart. */
  readonly account: number;
  /** The supply: no amount is larger. */
  readonly unitsMax: bigint;
};

const bitcoinMax = 21_000_000n * 100_000_000n;
const litecoinMax = 84_000_000n * 100_000_000n;

/** WIF is never used here. */
const wif = 0;

const networks: Readonly<Record<UtxoChainName, Readonly<Record<UtxoNetworkName, UtxoNetwork>>>> = {
  BTC: {
    main: {
      bech32: "bc",
      pubKeyHash: 0x00,
      scriptHash: 0x05,
      wif,
      coinType: 0,
      account: 0,
      unitsMax: bitcoinMax,
    },
    test: {
      bech32: "tb",
      pubKeyHash: 0x6f,
      scriptHash: 0xc4,
      wif,
      coinType: 1,
      account: 0,
      unitsMax: bitcoinMax,
    },
    regtest: {
      bech32: "bcrt",
      pubKeyHash: 0x6f,
      scriptHash: 0xc4,
      wif,
      coinType: 1,
      account: 0,
      unitsMax: bitcoinMax,
    },
  },
  LTC: {
    main: {
      bech32: "ltc",
      pubKeyHash: 0x30,
      scriptHash: 0x32,
      wif,
      coinType: 2,
      account: 0,
      unitsMax: litecoinMax,
    },
    test: {
      bech32: "tltc",
      pubKeyHash: 0x6f,
      scriptHash: 0x3a,
      wif,
      coinType: 1,
      account: 2,
      unitsMax: litecoinMax,
    },
    regtest: {
      bech32: "rltc",
      pubKeyHash: 0x6f,
      scriptHash: 0x3a,
      wif,
      coinType: 1,
      account: 2,
      unitsMax: litecoinMax,
    },
  },
};

/** Whether the signer signs for this UTXO chain. */
export function isUtxoChainName(chain: string): chain is UtxoChainName {
  return Object.hasOwn(networks, chain);
}

/** The parameters of a network of the chain. */
export function utxoNetwork(chain: UtxoChainName, network: UtxoNetworkName): UtxoNetwork {
  return networks[chain][network];
}
