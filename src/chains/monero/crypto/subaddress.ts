import { Point as OtherPoint } from "@noble/ed25519";
import { hashToScalar, Point, scalarBytes, timesBase } from "./points.ts";

/** What the worker knows of a Monero account. Its holder finds all payments to the account, and can spend none. */
export type ViewKeys = {
  /** The secret view key. */
  readonly viewSecret: bigint;
  /** The public spend key, 32 bytes. */
  readonly spendKey: Uint8Array;
};

/** A subaddress by its two numbers: the account inside the wallet, and the address inside that account. */
export type SubaddressIndex = { readonly major: number; readonly minor: number };

export type SubaddressKeys = { readonly spendKey: Uint8Array; readonly viewKey: Uint8Array };

const salt = new TextEncoder().encode("SubAddr\0");

/** The public keys of a subaddress; those of the account's own address for 0/0. */
export function subaddressKeys(
  { spendKey, viewSecret }: ViewKeys,
  index: SubaddressIndex,
): SubaddressKeys {
  if (isPrimary(index)) return { spendKey, viewKey: timesBase(viewSecret).toBytes() };
  const spend = Point.fromBytes(spendKey).add(timesBase(offsetOf(viewSecret, index)));
  return { spendKey: spend.toBytes(), viewKey: spend.multiply(viewSecret).toBytes() };
}

/** As `subaddressKeys`, with another implementation of the curve. */
export function subaddressKeysAgain(
  { spendKey, viewSecret }: ViewKeys,
  index: SubaddressIndex,
): SubaddressKeys {
  if (isPrimary(index))
    return { spendKey, viewKey: OtherPoint.BASE.multiply(viewSecret).toBytes() };
  const spend = OtherPoint.fromBytes(spendKey).add(
    OtherPoint.BASE.multiply(offsetOf(viewSecret, index)),
  );
  return { spendKey: spend.toBytes(), viewKey: spend.multiply(viewSecret).toBytes() };
}

function isPrimary({ major, minor }: SubaddressIndex): boolean {
  return major === 0 && minor === 0;
}

function offsetOf(viewSecret: bigint, { major, minor }: SubaddressIndex): bigint {
  const numbers = Buffer.alloc(8);
  numbers.writeUInt32LE(major, 0);
  numbers.writeUInt32LE(minor, 4);
  return hashToScalar(salt, scalarBytes(viewSecret), numbers);
}
