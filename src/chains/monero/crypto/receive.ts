import {
  commitmentTo,
  hash,
  hashToScalar,
  littleEndian,
  type Point,
  scalarBytes,
  timesBase,
  varint,
} from "./points.ts";

/*
 * What the owner of a view key computes to find out which outputs pay an account, and what they hold (Zero to Monero, chapters 4 and 5;
 * src/crypto/crypto.cpp, src/ringct/rctOps.cpp).
 */

const text = new TextEncoder();
const viewTagSalt = text.encode("view_tag");
const amountSalt = text.encode("amount");
const maskSalt = text.encode("commitment_mask");

/** The secret that sender and receiver share: eight times the view key times the transaction's public key. */
export function derivationOf(publicKey: Point, viewSecret: bigint): Uint8Array {
  // The factor removes what a public key outside the group of the base point would add.
  return publicKey.multiply(viewSecret).double().double().double().toBytes();
}

/** One byte by which receivers tell 255 of 256 foreign outputs apart without further computation. */
export function viewTagOf(derivation: Uint8Array, index: number): number {
  return hash(viewTagSalt, derivation, varint(index))[0] ?? 0;
}

/** The number from which an output's key, amount and mask follow. */
export function outputScalar(derivation: Uint8Array, index: number): bigint {
  return hashToScalar(derivation, varint(index));
}

/** The public spend key of the address that an output pays, if it pays one of this view key; otherwise some other point. */
export function paidSpendKey(outputKey: Point, scalar: bigint): Uint8Array {
  return outputKey.subtract(timesBase(scalar)).toBytes();
}

/** The one-time key of an output to a public spend key. */
export function oneTimeKey(spendKey: Point, scalar: bigint): Uint8Array {
  return timesBase(scalar).add(spendKey).toBytes();
}

/**
 * The amount of an output, in units; null if its commitment is to another one, so that nobody could spend what it claims to hold.
 * `maskedAmount` has 8 bytes.
 */
export function amountOf(
  maskedAmount: Uint8Array,
  commitment: Uint8Array,
  scalar: bigint,
): bigint | null {
  const secret = scalarBytes(scalar);
  const pad = hash(amountSalt, secret);
  const units = littleEndian(maskedAmount.map((byte, place) => byte ^ (pad[place] ?? 0)));
  const expected = commitmentTo(units, hashToScalar(maskSalt, secret)).toBytes();
  return Buffer.compare(expected, commitment) === 0 ? units : null;
}
