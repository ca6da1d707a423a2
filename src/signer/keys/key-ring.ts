import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from "node:crypto";
import { HDKey } from "@scure/bip32";
import { assert } from "../../platform/kernel/assert.ts";
import type { Random } from "../../platform/kernel/random.ts";
import type { LentKeys } from "../draft-signer.ts";
import { deriveExtendedEd25519, icarusRoot, rootLength } from "./bip32-ed25519.ts";
import { deriveEd25519 } from "./ed25519-keys.ts";
import { seedOfEntropy } from "./seed-of-entropy.ts";

/** The seed while the signer runs: sealed except while keys are lent. */
export type SealedKeys = {
  /**
   * Lends keys to `use`, and overwrites all of them, and what they were derived from, when it returns or throws; when its promise
   * settles, if it returns one.
   */
  readonly lend: <Result>(use: (keys: LentKeys) => Result) => Result;
  /** Overwrites the sealed seed: nothing can be signed afterwards. */
  readonly forget: () => void;
};

const nonceLength = 12;
const tagLength = 16;

/**
 * Derives the seed from the entropy (BIP-39 without a passphrase) and the root of Cardano's keys (CIP-3), which needs the entropy itself. The
 * caller still owns the entropy. Both are sealed (AES-256-GCM) with
 * a random key outside the JavaScript heap: it is in no heap snapshot, and a core dump reveals it only by putting the two
 * together. See docs/decisions/signing.md for the limits of this.
 */
export function sealKeys(entropy: Uint8Array, random: Random): SealedKeys {
  const seed = seedOfEntropy(entropy);
  const root = icarusRoot(entropy);
  const sealing = takeSecret(random.bytes(32));
  const nonce = random.bytes(nonceLength);
  const cipher = createCipheriv("aes-256-gcm", sealing, nonce);
  const sealed = Buffer.concat([
    cipher.update(seed),
    cipher.update(root),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  seed.fill(0);
  root.fill(0);
  let isForgotten = false;

  const openSeed = (): Buffer => {
    assert(!isForgotten, "the keys were forgotten");
    const decipher = createDecipheriv("aes-256-gcm", sealing, nonce, { authTagLength: tagLength });
    decipher.setAuthTag(sealed.subarray(-tagLength));
    const opened = decipher.update(sealed.subarray(0, -tagLength));
    decipher.final();
    return opened;
  };

  return {
    lend: (use) => {
      const opened = openSeed();
      const lent: Wipe[] = [];
      const wipeAll = (): void => {
        opened.fill(0);
        for (const wipe of lent) wipe();
      };
      let isPending = false;
      try {
        const ring = createRing(
          opened.subarray(0, -rootLength),
          opened.subarray(-rootLength),
          lent,
        );
        const result = use(ring);
        if (!(result instanceof Promise)) return result;
        isPending = true;
        // Of the type of the promise itself.
        return result.finally(wipeAll) as typeof result;
      } finally {
        if (!isPending) wipeAll();
      }
    },
    forget: () => {
      isForgotten = true;
      sealed.fill(0);
    },
  };
}

/** Moves a key out of the JavaScript heap. */
function takeSecret(bytes: Uint8Array): KeyObject {
  const key = createSecretKey(bytes);
  bytes.fill(0);
  return key;
}

type Wipe = () => void;

/** Derives accounts once per loan: a transaction with many inputs uses many keys of few accounts. `lent` wipes every key. */
function createRing(seed: Uint8Array, root: Uint8Array, lent: Wipe[]): LentKeys {
  const lend = (key: HDKey): HDKey => {
    lent.push(() => key.wipePrivateData());
    return key;
  };
  const branches = new Map<string, HDKey>([["m", lend(HDKey.fromMasterSeed(seed))]]);
  const keyAt = (path: string): HDKey => {
    const known = branches.get(path);
    if (known !== undefined) return known;
    const end = path.lastIndexOf("/");
    const key = lend(keyAt(path.slice(0, end)).deriveChild(childNumber(path.slice(end + 1))));
    branches.set(path, key);
    return key;
  };
  return {
    at: (path) => {
      if (!/^m(\/\d{1,10}'?){1,10}$/.test(path)) throw new RangeError(`not a key path: ${path}`);
      const end = path.lastIndexOf("/");
      // A separate copy each time, since the borrower wipes it.
      return lend(keyAt(path.slice(0, end)).deriveChild(childNumber(path.slice(end + 1))));
    },
    ed25519At: (path) => {
      const key = deriveEd25519(seed, path);
      lent.push(key.wipe);
      return key;
    },
    extendedEd25519At: (path) => {
      const key = deriveExtendedEd25519(root, path);
      lent.push(key.wipe);
      return key;
    },
  };
}

/** BIP-32: hardened children start at 2^31. */
function childNumber(step: string): number {
  const hardened = 2 ** 31;
  const number = Number(step.replace("'", ""));
  if (number >= hardened) throw new RangeError(`not a key number: ${step}`);
  return step.endsWith("'") ? number + hardened : number;
}
