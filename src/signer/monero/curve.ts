import { ed25519 } from "@noble/curves/ed25519.js";
import { keccak_256 } from "@noble/hashes/sha3.js";

/*
 * The arithmetic of Monero's keys and outputs (Zero to Monero, second edition, chapters 2 to 5; monero's src/crypto/crypto.cpp and
 * src/ringct/rctOps.cpp). Scalars are little-endian, points are encoded as in RFC 8032.
 */

export const Point = ed25519.Point;
export type Point = InstanceType<typeof Point>;

/** The order of the group that the base point generates. */
export const order = Point.Fn.ORDER;

/** The second generator, for amounts: 8 times the point that the hash of the base point encodes. */
export const amountGenerator = Point.fromHex(
  "8b655970153799af2aeadc9ff1add0ea6c7251d54154cfa92c173a0dd39c1f94",
);

/** Reads 32 bytes as a little-endian integer. */
export function integerOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString("hex")}`);
}

/** 32 bytes, little-endian. */
export function scalarBytes(scalar: bigint): Uint8Array {
  return Uint8Array.from(Buffer.from(scalar.toString(16).padStart(64, "0"), "hex").reverse());
}

export function keccak(...parts: readonly Uint8Array[]): Uint8Array {
  return keccak_256(Buffer.concat(parts));
}

/** Keccak-256, read as an integer and reduced. */
export function hashToScalar(...parts: readonly Uint8Array[]): bigint {
  return integerOf(keccak(...parts)) % order;
}

/** `scalar` times the base point. The scalar is below the order and not 0. */
export function publicOf(scalar: bigint): Point {
  return Point.BASE.multiply(scalar);
}

/** What sender and receiver of an output share: 8 times scalar times point, encoded. */
export function derivationOf(point: Point, scalar: bigint): Uint8Array {
  return point.multiply(scalar).multiplyUnsafe(8n).toBytes();
}

/** The scalar of output number `index` in a transaction, from what both sides share. */
export function outputScalar(derivation: Uint8Array, index: number): bigint {
  return hashToScalar(derivation, varint(BigInt(index)));
}

/** Seven bits per byte, the lowest first; the highest bit says that more follow. */
export function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80n) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}
