import { present } from "../../platform/kernel/assert.ts";

/** Test networks have their own keys, so that keys created for testing never hold real funds. */
export type KeyNetwork = "main" | "test";

/** The accounts of one address set. It comes from the signer's own configuration: the signer knows no coin by itself. */
export type KeyTree = {
  readonly keyspace: string;
  /** SLIP-44. */
  readonly coinType: number;
  /** Whether test networks use the same keys: on EVM chains, where an address paid on the wrong network is then still ours. */
  readonly isSharedByNetworks: boolean;
  /** One account each; see `places`. */
  readonly addressTypes: readonly string[];
  /**
   * Absent: secp256k1, BIP-32. Ed25519 has no extended public keys (SLIP-10): the signer creates the key of each address. BIP32-Ed25519
   * has them, and the purpose 1852 instead of 44 (CIP-1852). A pair of view and spend key (Monero) has a view key, from which its subaddresses follow.
   */
  readonly curve?: "ed25519" | "bip32-ed25519" | "view-and-spend";
  /** Whether all deposits share the hot account; their tags are then recorded as addresses of the empty type. */
  readonly sharesAccount?: boolean;
};

/** A kind of address whose indexes the signer records. */
export type IssuedKind = Pick<AccountPath, "keyspace" | "addressType">;

/** An account of the key tree whose public key leaves the signer. `addressType` is empty on chains with a single address type. */
export type AccountPath = {
  readonly keyspace: string;
  readonly addressType: string;
  readonly path: string;
  readonly key: /** The version bytes of its extended public key (BIP-32). */
    | { readonly kind: "bip32"; readonly public: number; readonly private: number }
    /** One key, from which no other public key follows (SLIP-10). */
    | { readonly kind: "ed25519" }
    /** An extended public key in bech32, `acct_xvk` of CIP-5. */
    | { readonly kind: "bip32-ed25519" }
    /** A secret view key and a public spend key. */
    | { readonly kind: "view-and-spend" };
};

/**
 * Purpose and account of each address type: BIP-44, BIP-49, BIP-84 and BIP-86. Chains of accounts have one type, the empty one,
 * and the deployment's own hot and gas accounts, with one address each (index 0); and where transactions of the hot account use the
 * sequences of others, those channels.
 */
const places: Readonly<Record<string, { readonly purpose: number; readonly account: number }>> = {
  legacy: { purpose: 44, account: 0 },
  "p2sh-segwit": { purpose: 49, account: 0 },
  bech32: { purpose: 84, account: 0 },
  bech32m: { purpose: 86, account: 0 },
  "": { purpose: 44, account: 0 },
  hot: { purpose: 44, account: 1 },
  gas: { purpose: 44, account: 2 },
  channels: { purpose: 44, account: 3 },
};

/** The accounts of this address type are the soft children of one key, so that its public key leads to all of them. */
const childAccounts = "channels";

/** CIP-1852: of keys with soft steps on Ed25519. */
const softPurpose = 1852;

/** SLIP-44: every coin's test network. */
const testCoinType = 1;

/** xpub and tpub of BIP-32. */
const mainVersion = { public: 0x0488b21e, private: 0x0488ade4 };
const testVersion = { public: 0x043587cf, private: 0x04358394 };

/**
 * The path of an address type's account. Test networks share a coin type, and some encode addresses alike: there the coin's own
 * number leads to its accounts, with a million for each, so that one address never belongs to two chains.
 */
export function accountPath(
  {
    coinType,
    curve,
    isSharedByNetworks,
  }: Pick<KeyTree, "coinType" | "isSharedByNetworks" | "curve">,
  addressType: string,
  network: KeyNetwork,
): string {
  const place = Object.hasOwn(places, addressType) ? places[addressType] : undefined;
  const { account, purpose: ownPurpose } = present(
    place,
    `account of the address type ${addressType}`,
  );
  const hasSoftSteps = curve === "bip32-ed25519" || addressType === childAccounts;
  const purpose = hasSoftSteps ? softPurpose : ownPurpose;
  return network === "main" || isSharedByNetworks
    ? `m/${purpose}'/${coinType}'/${account}'`
    : `m/${purpose}'/${testCoinType}'/${account * 1_000_000 + coinType}'`;
}

/**
 * The accounts of deposit addresses and of our own funds. On Ed25519 trees only those of our own funds, each of which is one address: the
 * signer creates the keys of the others.
 */
export function accountPaths(
  network: KeyNetwork,
  trees: readonly KeyTree[],
): readonly AccountPath[] {
  return trees.flatMap((tree) => {
    return tree.addressTypes
      .filter((addressType) => hasPublicKeys(tree) || addressType !== "")
      .map((addressType) => ({
        keyspace: tree.keyspace,
        addressType,
        path: accountPath(tree, addressType, network),
        key: keyOf(tree, addressType, network),
      }));
  });
}

/** The path of the Ed25519 account of that kind, below which each address has a hardened step; null if there is none. */
export function createdAccountPath(
  network: KeyNetwork,
  trees: readonly KeyTree[],
  { keyspace, addressType }: IssuedKind,
): string | null {
  const tree = trees.find((one) => one.keyspace === keyspace);
  if (tree === undefined || hasPublicKeys(tree) || addressType !== "") return null;
  return tree.addressTypes.includes(addressType) ? accountPath(tree, addressType, network) : null;
}

/** Every kind of address whose indexes are recorded. */
export function issuedKinds(trees: readonly KeyTree[]): readonly IssuedKind[] {
  return trees.flatMap(({ keyspace, addressTypes, sharesAccount = false }) =>
    [...addressTypes, ...(sharesAccount ? [""] : [])].map((addressType) => ({
      keyspace,
      addressType,
    })),
  );
}

function hasPublicKeys({ curve }: KeyTree): boolean {
  return curve !== "ed25519";
}

function keyOf(
  { curve, isSharedByNetworks }: KeyTree,
  addressType: string,
  network: KeyNetwork,
): AccountPath["key"] {
  if (addressType === childAccounts) return { kind: "bip32-ed25519" };
  if (curve !== undefined) return { kind: curve };
  const version = network === "main" || isSharedByNetworks ? mainVersion : testVersion;
  return { kind: "bip32", ...version };
}

/** The accounts of TRON: deposit addresses, and the deployment's own hot and gas account. */
export function tronAccounts(network: KeyNetwork): {
  readonly deposits: string;
  readonly hot: string;
  readonly gas: string;
} {
  const tree = { coinType: 195, isSharedByNetworks: false };
  return {
    deposits: accountPath(tree, "", network),
    hot: accountPath(tree, "hot", network),
    gas: accountPath(tree, "gas", network),
  };
}

/** The key of the hot account of Stellar, which is an account by itself (SEP-5): m/44'/148'/1'. */
export function stellarHotPath(network: KeyNetwork): string {
  return accountPath({ coinType: 148, isSharedByNetworks: false }, "hot", network);
}

/** The key whose soft children are the channels of the hot account of Stellar: m/1852'/148'/3'. */
export function stellarChannelsPath(network: KeyNetwork): string {
  return accountPath({ coinType: 148, isSharedByNetworks: false }, childAccounts, network);
}

/** The key of the hot account of TON: m/44'/607'/1'. */
export function tonHotPath(network: KeyNetwork): string {
  return accountPath({ coinType: 607, isSharedByNetworks: false }, "hot", network);
}

/** The account of Cardano's deposit and change addresses: m/1852'/1815'/0'. */
export function cardanoAccount(network: KeyNetwork): string {
  return accountPath(
    { coinType: 1815, isSharedByNetworks: false, curve: "bip32-ed25519" },
    "",
    network,
  );
}
