import { ed25519 } from "@noble/curves/ed25519.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { assert } from "../../../platform/kernel/assert.ts";

/*
 * The arithmetic of Monero's keys (Zero to Monero, second edition, chapters 2 to 5): points of the Ed25519 curve, and integers modulo the
 * order of its base point, little-endian.
 */

export const Point = ed25519.Point;
export type Point = InstanceType<typeof Point>;

const order = Point.Fn.ORDER;

/** The generator of amounts in commitments: eight times the point that the hash of the base point stands for (src/ringct/rctTypes.h). */
const amountBase = Point.fromHex(
  "8b655970153799af2aeadc9ff1add0ea6c7251d54154cfa92c173a0dd39c1f94",
);

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}

/** A point from its 32 bytes; null if they stand for none. */
export function readPoint(bytes: Uint8Array): Point | null {
  try {
    return Point.fromBytes(bytes);
  } catch {
    return null;
  }
}

/** The integer of 32 bytes, modulo the order. */
export function readScalar(bytes: Uint8Array): bigint {
  return littleEndian(bytes) % order;
}

/** A secret key from its 32 bytes. Throws `InvariantViolation` for anything else. */
export function secretKeyOf(bytes: Uint8Array): bigint {
  const scalar = littleEndian(bytes);
  assert(bytes.length === 32 && scalar > 0n && scalar < order, "a secret key of Monero");
  return scalar;
}

export function littleEndian(bytes: Uint8Array): bigint {
  const reversed = Uint8Array.from(bytes).reverse();
  return BigInt(`0x${toHex(reversed)}`);
}

export function hash(...parts: readonly Uint8Array[]): Uint8Array {
  return keccak_256(parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts));
}

/** Monero's `Hs`: the hash modulo the order. */
export function hashToScalar(...parts: readonly Uint8Array[]): bigint {
  return readScalar(hash(...parts));
}

/** A scalar times the base point. */
export function timesBase(scalar: bigint): Point {
  return scalar === 0n ? Point.ZERO : Point.BASE.multiply(scalar);
}

/** A Pedersen commitment to an amount: mask × G + amount × H. */
export function commitmentTo(units: bigint, mask: bigint): Point {
  const amount = units === 0n ? Point.ZERO : amountBase.multiplyUnsafe(units);
  return timesBase(mask).add(amount);
}

/** 32 bytes, little-endian. */
export function scalarBytes(scalar: bigint): Uint8Array {
  return Uint8Array.from(Buffer.from(scalar.toString(16).padStart(64, "0"), "hex")).reverse();
}

/** Seven bits per byte, the lowest first. */
export function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) + 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}
