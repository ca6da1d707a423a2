import { hkdfSync } from "node:crypto";
import { HDKey } from "@scure/bip32";
import type { AccountKey } from "../protocol.ts";
import { type AccountPath, accountPaths, type KeyNetwork, type KeyTree } from "./account-paths.ts";
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
 * Derives the accounts' extended public keys (BIP-39 without a passphrase, BIP-32) and the journals' keys (HKDF, RFC 5869), and
 * overwrites the entropy and every private key on the way.
 */
export function deriveKeys(
  entropy: Uint8Array,
  network: KeyNetwork,
  trees: readonly KeyTree[],
): SignerKeys {
  const seed = seedOfEntropy(entropy);
  entropy.fill(0);
  const journalKey = new Uint8Array(hkdfSync("sha256", seed, "", "sluice issue journal", 32));
  const spendJournalKey = new Uint8Array(hkdfSync("sha256", seed, "", "sluice spend journal", 32));
  const markKey = new Uint8Array(hkdfSync("sha256", seed, "", "sluice database mark", 32));
  const accounts = accountPaths(network, trees).map((account) => deriveAccount(seed, account));
  seed.fill(0);
  return { accounts, journalKey, spendJournalKey, markKey };
}

function deriveAccount(seed: Uint8Array, account: AccountPath): AccountKey {
  const master = HDKey.fromMasterSeed(seed, account.version);
  const key = master.derive(account.path);
  const { keyspace, addressType, path } = account;
  const derived = { keyspace, addressType, path, xpub: key.publicExtendedKey };
  key.wipePrivateData();
  master.wipePrivateData();
  return derived;
}
