import { hkdfSync } from "node:crypto";
import { bech32 } from "@scure/base";
import { HDKey } from "@scure/bip32";
import { deriveMoneroKeys, secretHex } from "../monero/account-keys.ts";
import type { AccountKey } from "../protocol.ts";
import { type AccountPath, accountPaths, type KeyNetwork, type KeyTree } from "./account-paths.ts";
import { deriveExtendedEd25519, icarusRoot } from "./bip32-ed25519.ts";
import { deriveEd25519 } from "./ed25519-keys.ts";
import { seedOfEntropy } from "./seed-of-entropy.ts";

/** What the signer keeps of its seed while it signs nothing: public keys, and the keys of its own journals. */
export type SignerKeys = {
  readonly accounts: readonly AccountKey[];
  /** Seals the journal of issued addresses. */
  readonly journalKey: Uint8Array;
  /** Seals the journal of signed spends. */
  readonly spendJournalKey: Uint8Array;
  /** Seals the mark of the database. */
  readonly markKey: Uint8Array;
};

/**
 * Derives the accounts' public keys (BIP-39 without a passphrase, BIP-32 or SLIP-10; CIP-3 and BIP32-Ed25519) and the journals' keys (HKDF, RFC 5869), and
 * overwrites the entropy and every private key on the way.
 */
export function deriveKeys(
  entropy: Uint8Array,
  network: KeyNetwork,
  trees: readonly KeyTree[],
): SignerKeys {
  const seed = seedOfEntropy(entropy);
  const root = icarusRoot(entropy);
  entropy.fill(0);
  const journalKey = new Uint8Array(hkdfSync("sha256", seed, "", "sluice issue journal", 32));
  const spendJournalKey = new Uint8Array(hkdfSync("sha256", seed, "", "sluice spend journal", 32));
  const markKey = new Uint8Array(hkdfSync("sha256", seed, "", "sluice database mark", 32));
  const accounts = accountPaths(network, trees).map((account) =>
    deriveAccount(seed, root, account),
  );
  seed.fill(0);
  root.fill(0);
  return { accounts, journalKey, spendJournalKey, markKey };
}

function deriveAccount(seed: Uint8Array, root: Uint8Array, account: AccountPath): AccountKey {
  const { keyspace, addressType, path, key: kind } = account;
  const named = { keyspace, addressType, path };
  switch (kind.kind) {
    case "ed25519": {
      const { publicKey, wipe } = deriveEd25519(seed, path);
      wipe();
      return { ...named, publicKey: Buffer.from(publicKey).toString("hex") };
    }
    case "bip32-ed25519": {
      const { publicKey, chainCode, wipe } = deriveExtendedEd25519(root, path);
      wipe();
      const words = bech32.toWords(Uint8Array.from([...publicKey, ...chainCode]));
      return { ...named, xpub: bech32.encode("acct_xvk", words, false) };
    }
    case "view-and-spend": {
      const master = HDKey.fromMasterSeed(seed);
      const { viewSecret, spend } = deriveMoneroKeys((keyPath) => master.derive(keyPath), path);
      master.wipePrivateData();
      return { ...named, viewKey: secretHex(viewSecret), spendKey: spend.toHex() };
    }
    case "bip32": {
      const master = HDKey.fromMasterSeed(seed, kind);
      const key = master.derive(path);
      const derived = { ...named, xpub: key.publicExtendedKey };
      key.wipePrivateData();
      master.wipePrivateData();
      return derived;
    }
  }
}
