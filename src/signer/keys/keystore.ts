import { createCipheriv, createDecipheriv } from "node:crypto";
import { readFile } from "node:fs/promises";
import { hashRaw } from "@node-rs/argon2";
import { entropyToMnemonic, mnemonicToEntropy } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import type { Random } from "../../platform/kernel/random.ts";
import { createAtomically } from "../../platform/processes/write-atomically.ts";

/** The cost of Argon2id (RFC 9106): memory in KiB, passes, threads. */
export type KeyDerivationCost = {
  readonly memoryKib: number;
  readonly passes: number;
  readonly threads: number;
};

/** For a passphrase chosen by a person: 128 MiB and 3 passes, about 0.3 s on one core. */
export const defaultKeyDerivationCost: KeyDerivationCost = {
  memoryKib: 131_072,
  passes: 3,
  threads: 1,
};

/** The passphrase is wrong or the file was altered; the two cannot be distinguished. */
export class KeystoreLocked extends Error {
  override readonly name = "KeystoreLocked";
}

type KeystoreFile = KeystoreHead & {
  /** Ciphertext and tag, base64. */
  readonly sealed: string;
};

type KeystoreHead = {
  readonly version: 1;
  readonly kdf: { readonly name: "argon2id"; readonly salt: string } & KeyDerivationCost;
  readonly cipher: { readonly name: "aes-256-gcm"; readonly nonce: string };
};

const entropyLength = 32;
const tagLength = 16;
/** The most that a file may demand of this machine: a manipulated one must not exhaust it. */
const costLimit: KeyDerivationCost = { memoryKib: 4 * 1024 * 1024, passes: 64, threads: 64 };

/**
 * Creates the keystore (mode 0600, never over an existing file: rejects with `EEXIST`). The seed is 256 bits from `random`, or
 * what the 24 words of a backup stand for (BIP-39); rejects words with a wrong checksum. At rest it is sealed by AES-256-GCM
 * with a key that Argon2id derives from the passphrase.
 */
export async function createKeystore(options: {
  readonly path: string;
  readonly passphrase: Uint8Array;
  readonly random: Random;
  readonly cost: KeyDerivationCost;
  readonly words?: string;
}): Promise<void> {
  const { random, cost } = options;
  if (options.passphrase.length === 0) throw new KeystoreLocked("the passphrase is empty");
  const entropy =
    options.words === undefined ? random.bytes(entropyLength) : entropyOfWords(options.words);
  const head: KeystoreHead = {
    version: 1,
    kdf: { name: "argon2id", salt: toBase64(random.bytes(16)), ...cost },
    cipher: { name: "aes-256-gcm", nonce: toBase64(random.bytes(12)) },
  };
  const key = await deriveKey(head, options.passphrase);
  try {
    const cipher = createCipheriv("aes-256-gcm", key, fromBase64(head.cipher.nonce));
    cipher.setAAD(authenticated(head));
    const sealed = Buffer.concat([cipher.update(entropy), cipher.final(), cipher.getAuthTag()]);
    const file: KeystoreFile = { ...head, sealed: toBase64(sealed) };
    await createAtomically(options.path, `${JSON.stringify(file, null, 2)}\n`);
  } finally {
    key.fill(0);
    entropy.fill(0);
  }
}

/**
 * The 32 bytes of the seed's entropy; the caller overwrites them when done. Rejects with `KeystoreLocked` for a wrong
 * passphrase or an altered file, with the system's error if there is no file.
 */
export async function openKeystore(path: string, passphrase: Uint8Array): Promise<Uint8Array> {
  const file = parseKeystore(await readFile(path, "utf8"));
  // The library refuses costs that are invalid for Argon2; this program writes none of them.
  const key = await deriveKey(file, passphrase).catch((error: unknown) => {
    throw new KeystoreLocked(`${path}: the file was altered`, { cause: error });
  });
  try {
    const sealed = fromBase64(file.sealed);
    const decipher = createDecipheriv("aes-256-gcm", key, fromBase64(file.cipher.nonce), {
      authTagLength: tagLength,
    });
    decipher.setAAD(authenticated(file));
    decipher.setAuthTag(sealed.subarray(-tagLength));
    const entropy = decipher.update(sealed.subarray(0, -tagLength));
    decipher.final();
    return entropy;
  } catch (error) {
    throw new KeystoreLocked(`${path}: wrong passphrase, or the file was altered`, {
      cause: error,
    });
  } finally {
    key.fill(0);
  }
}

/** The 24 words to write down: they alone restore every key. */
export function wordsOfEntropy(entropy: Uint8Array): string {
  return entropyToMnemonic(entropy, wordlist);
}

/** The 32 bytes that the 24 words of a backup stand for (BIP-39). Throws for words with a wrong checksum. */
export function entropyOfWords(words: string): Uint8Array {
  const entropy = mnemonicToEntropy(words.trim().toLowerCase().split(/\s+/).join(" "), wordlist);
  if (entropy.length !== entropyLength) throw new RangeError("24 words are needed");
  return entropy;
}

function deriveKey(head: KeystoreHead, passphrase: Uint8Array): Promise<Buffer> {
  const { memoryKib, passes, threads, salt } = head.kdf;
  // The library uses Argon2id by default.
  return hashRaw(passphrase, {
    memoryCost: memoryKib,
    timeCost: passes,
    parallelism: threads,
    outputLen: 32,
    salt: fromBase64(salt),
  });
}

/** Everything but the sealed seed, so that no weaker cost can be substituted. */
function authenticated({ version, kdf, cipher }: KeystoreHead): Buffer {
  const { memoryKib, passes, threads, salt } = kdf;
  return Buffer.from(
    JSON.stringify([
      version,
      kdf.name,
      memoryKib,
      passes,
      threads,
      salt,
      cipher.name,
      cipher.nonce,
    ]),
  );
}

function parseKeystore(text: string): KeystoreFile {
  let file: Partial<KeystoreFile> | null;
  try {
    file = JSON.parse(text) as Partial<KeystoreFile> | null;
  } catch (error) {
    throw new KeystoreLocked("the keystore is not JSON", { cause: error });
  }
  const kdf = file?.kdf;
  const isKnown =
    file?.version === 1 &&
    kdf?.name === "argon2id" &&
    file.cipher?.name === "aes-256-gcm" &&
    [kdf.salt, file.cipher.nonce, file.sealed].every((value) => typeof value === "string") &&
    (["memoryKib", "passes", "threads"] as const).every(
      (name) => Number.isInteger(kdf[name]) && kdf[name] > 0 && kdf[name] <= costLimit[name],
    );
  if (!isKnown) throw new KeystoreLocked("not a keystore of a version that this program knows");
  return file as KeystoreFile;
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

function fromBase64(text: string): Buffer {
  return Buffer.from(text, "base64");
}
