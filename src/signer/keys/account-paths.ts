/** Test networks have their own keys, so that keys created for testing never hold real funds. */
export type KeyNetwork = "main" | "test";

/** An account of the key tree whose public key leaves the signer. `addressType` is empty on chains with a single address type. */
export type AccountPath = {
  readonly keyspace: string;
  readonly addressType: string;
  readonly path: string;
  /** The version bytes of its extended public key. */
  readonly version: { readonly public: number; readonly private: number };
};

/** BIP-44, BIP-49, BIP-84 and BIP-86. */
const purposes = [
  { addressType: "legacy", purpose: 44 },
  { addressType: "p2sh-segwit", purpose: 49 },
  { addressType: "bech32", purpose: 84 },
  { addressType: "bech32m", purpose: 86 },
] as const;

/** SLIP-44. Coin type 1 is every coin's test network. */
const utxoCoinTypes = { BTC: 0, LTC: 2 } as const;
const testCoinType = 1;

/** xpub and tpub of BIP-32. */
const mainVersion = { public: 0x0488b21e, private: 0x0488ade4 };
const testVersion = { public: 0x043587cf, private: 0x04358394 };

/** The deployment's own accounts on EVM chains, one address each (index 0): the hot and the gas account. */
const evmTreasury = [
  { addressType: "hot", path: "m/44'/60'/1'" },
  { addressType: "gas", path: "m/44'/60'/2'" },
] as const;

/**
 * The accounts of TRON: deposit addresses, and the deployment's own two accounts (index 0 of each). On test networks, which share
 * coin type 1, the coin's own number (SLIP-44) leads to them, and a million per account keeps them away from other coins' numbers.
 */
export function tronAccounts(network: KeyNetwork): {
  readonly deposits: string;
  readonly hot: string;
  readonly gas: string;
} {
  const coinType = 195;
  const path = (account: number): string =>
    network === "main"
      ? `m/44'/${coinType}'/${account}'`
      : `m/44'/${testCoinType}'/${account * 1_000_000 + coinType}'`;
  return { deposits: path(0), hot: path(1), gas: path(2) };
}

/**
 * The accounts of deposit addresses and of our own funds. All EVM chains share coin type 60, as in wallets, on every network, so
 * an address paid on the wrong chain is still ours.
 */
export function accountPaths(network: KeyNetwork): readonly AccountPath[] {
  const version = network === "main" ? mainVersion : testVersion;
  const utxo = Object.entries(utxoCoinTypes).flatMap(([keyspace, mainCoinType]) => {
    // Test networks of several coins share address formats: separate accounts keep the coins apart.
    const branch = network === "main" ? `${mainCoinType}'/0'` : `${testCoinType}'/${mainCoinType}'`;
    return purposes.map(({ addressType, purpose }) => ({
      keyspace,
      addressType,
      path: `m/${purpose}'/${branch}`,
      version,
    }));
  });
  const tron = tronAccounts(network);
  return [
    { keyspace: "evm", addressType: "", path: "m/44'/60'/0'", version: mainVersion },
    ...evmTreasury.map((own) => ({ keyspace: "evm", ...own, version: mainVersion })),
    { keyspace: "TRX", addressType: "", path: tron.deposits, version },
    { keyspace: "TRX", addressType: "hot", path: tron.hot, version },
    { keyspace: "TRX", addressType: "gas", path: tron.gas, version },
    ...utxo,
  ];
}
