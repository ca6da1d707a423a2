import { createHmac, pbkdf2Sync } from "node:crypto";
import { ed25519 } from "@noble/curves/ed25519.js";
import { sha512 } from "@noble/hashes/sha2.js";

/** An extended Ed25519 key (BIP32-Ed25519), inside the signer only. Usable until it is wiped. */
export type ExtendedEd25519Key = {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** 32 bytes; with the public key, it derives the public keys below. */
  readonly chainCode: Uint8Array;
  /** Ed25519 with the key's scalar, 64 bytes: everybody's verification accepts it. */
  readonly sign: (message: Uint8Array) => Uint8Array;
  readonly wipe: () => void;
};

/** Scalar, and the half from which signatures take their nonce: 32 bytes each, with a chain code of 32. */
export const rootLength = 96;
const hardened = 2 ** 31;
const { Point } = ed25519;
const order = Point.Fn.ORDER;

/**
 * The master key of a wallet's entropy (CIP-3, Icarus, without a password): scalar, nonce half and chain code. It comes from the entropy
 * itself, not from the seed of BIP-39, so that the words restore the same addresses in every wallet of Cardano.
 */
export function icarusRoot(entropy: Uint8Array): Uint8Array {
  const root = pbkdf2Sync(new Uint8Array(0), entropy, 4096, rootLength, "sha512");
  root[0] = (root[0] ?? 0) & 0b1111_1000;
  root[31] = ((root[31] ?? 0) & 0b0001_1111) | 0b0100_0000;
  return root;
}

/**
 * Derives the key at a path such as `m/1852'/1815'/0'/0/7` (Khovratovich and Law, version 2 as in CIP-3 Icarus). Throws `RangeError` for any
 * other text.
 */
export function deriveExtendedEd25519(root: Uint8Array, path: string): ExtendedEd25519Key {
  if (!/^m(\/\d{1,10}'?){1,10}$/.test(path)) throw new RangeError(`not a key path: ${path}`);
  let node = Buffer.from(root);
  for (const step of path.split("/").slice(1)) {
    const child = childOf(node, childNumber(step));
    node.fill(0);
    node = child;
  }
  const secret = node;
  const publicKey = publicKeyOf(secret);
  let isWiped = false;
  return {
    publicKey,
    chainCode: Uint8Array.from(secret.subarray(64)),
    sign: (message) => {
      if (isWiped) throw new RangeError("the key was wiped");
      return signWith(secret, publicKey, message);
    },
    wipe: () => {
      isWiped = true;
      secret.fill(0);
    },
  };
}

function childOf(parent: Buffer, number: number): Buffer<ArrayBuffer> {
  const isHardened = number >= hardened;
  const chainCode = parent.subarray(64);
  const index = Buffer.alloc(4);
  index.writeUInt32LE(number);
  const key = isHardened ? parent.subarray(0, 64) : publicKeyOf(parent);
  const digest = (tag: number): Buffer =>
    createHmac("sha512", chainCode)
      .update(Buffer.concat([Uint8Array.from([tag]), key, index]))
      .digest();
  const z = digest(isHardened ? 0 : 2);
  const code = digest(isHardened ? 1 : 3);
  const child = Buffer.alloc(rootLength);
  // Only 28 bytes of z, so that the scalar stays below 2^255.
  write(child, 0, 8n * read(z.subarray(0, 28)) + read(parent.subarray(0, 32)));
  write(child, 32, (read(z.subarray(32)) + read(parent.subarray(32, 64))) % 2n ** 256n);
  code.copy(child, 64, 32);
  z.fill(0);
  code.fill(0);
  return child;
}

function childNumber(step: string): number {
  const number = Number(step.replace("'", ""));
  if (number >= hardened) throw new RangeError(`not a key number: ${step}`);
  return step.endsWith("'") ? number + hardened : number;
}

function publicKeyOf(secret: Buffer): Uint8Array {
  return Point.BASE.multiply(read(secret.subarray(0, 32)) % order).toBytes();
}

/** RFC 8032 with the scalar and the nonce half in place of the hash of a seed. */
function signWith(secret: Buffer, publicKey: Uint8Array, message: Uint8Array): Uint8Array {
  const nonce = read(sha512(Buffer.concat([secret.subarray(32, 64), message]))) % order;
  const commitment = Point.BASE.multiply(nonce).toBytes();
  const challenge = read(sha512(Buffer.concat([commitment, publicKey, message]))) % order;
  const proof = Buffer.alloc(32);
  write(proof, 0, (nonce + challenge * read(secret.subarray(0, 32))) % order);
  return Uint8Array.from([...commitment, ...proof]);
}

/** Little-endian. */
function read(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString("hex")}`);
}

function write(into: Buffer, at: number, value: bigint): void {
  Buffer.from(value.toString(16).padStart(64, "0"), "hex").reverse().copy(into, at);
}
