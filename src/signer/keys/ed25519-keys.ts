import { createHmac } from "node:crypto";
import { ed25519 } from "@noble/curves/ed25519.js";

/** An Ed25519 key, inside the signer only. Usable until it is wiped. */
export type Ed25519Key = {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** RFC 8032, 64 bytes. */
  readonly sign: (message: Uint8Array) => Uint8Array;
  readonly wipe: () => void;
};

const hardened = 2 ** 31;

/**
 * Derives the key at a path from a BIP-39 seed (SLIP-10). Ed25519 has only hardened steps, `m/44'/283'/0'/7'`: no public key
 * leads from one address to the next. Throws `RangeError` for any other path.
 */
export function deriveEd25519(seed: Uint8Array, path: string): Ed25519Key {
  if (!/^m(\/\d{1,10}'){1,10}$/.test(path)) throw new RangeError(`not a hardened path: ${path}`);
  let node = hmac(Buffer.from("ed25519 seed"), seed);
  for (const step of path.split("/").slice(1)) {
    const index = Number(step.slice(0, -1));
    if (index >= hardened) throw new RangeError(`not a key number: ${step}`);
    const data = Buffer.alloc(37);
    node.copy(data, 1, 0, 32);
    data.writeUInt32BE(index + hardened, 33);
    const child = hmac(node.subarray(32), data);
    node.fill(0);
    data.fill(0);
    node = child;
  }
  const secret = Uint8Array.from(node.subarray(0, 32));
  node.fill(0);
  let isWiped = false;
  return {
    publicKey: ed25519.getPublicKey(secret),
    sign: (message) => {
      if (isWiped) throw new RangeError("the key was wiped");
      return ed25519.sign(message, secret);
    },
    wipe: () => {
      isWiped = true;
      secret.fill(0);
    },
  };
}

function hmac(key: Uint8Array, data: Uint8Array): Buffer {
  return createHmac("sha512", key).update(data).digest();
}
