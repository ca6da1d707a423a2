import { sha256 } from "@noble/hashes/sha2.js";
import { createBase58check } from "@scure/base";
import { assert } from "../../platform/kernel/assert.ts";

/*
 * A TRON address is one version byte and the 20 bytes that an EVM chain would use. Its text is base58check; nodes and logs also
 * name it in hexadecimal, with the version byte (42 digits) or without it (40 digits).
 */

/** The version byte of every TRON network. */
const version = 0x41;
const base58check = createBase58check(sha256);
const hexForm = /^(?:0x)?(41[0-9a-fA-F]{40})$/;

/**
 * Below this are only the virtual machine's own contracts (the highest is 0x1000015) and the zero address: they have no private
 * key, and what is sent there is lost.
 */
const reservedBelow = 1n << 32n;
/** The account "Blackhole" of the genesis block, which collects burned coin. */
const sinks = new Set(["TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy"]);

/**
 * The base58check spelling of an address that can be paid, else null. Also reads the hexadecimal form with its version byte, with
 * or without `0x`. Forty digits are refused: they may as well be an address of an EVM chain. Refused too: reserved addresses,
 * known sinks, and `refused` (base58check), the deployment's token contracts.
 */
export function parseTronAddress(text: string, refused: ReadonlySet<string>): string | null {
  const address = canonicalAddress(text);
  if (address === null || sinks.has(address) || refused.has(address)) return null;
  return BigInt(`0x${coreHex(address)}`) < reservedBelow ? null : address;
}

/** The base58check spelling of either form of an address, also where it cannot be paid; null for anything else. */
export function canonicalAddress(text: string): string | null {
  const hex = hexForm.exec(text)?.[1];
  if (hex !== undefined) return fromBytes(Uint8Array.from(Buffer.from(hex, "hex")));
  return decode(text) === null ? null : text;
}

/** The 21 bytes of a base58check address. Throws `InvariantViolation` for anything else. */
export function addressBytes(address: string): Uint8Array {
  const bytes = decode(address);
  assert(bytes !== null, `not a TRON address: ${address}`);
  return bytes;
}

/** The 42 lower-case digits with which nodes name a base58check address. */
export function toHexAddress(address: string): string {
  return Buffer.from(addressBytes(address)).toString("hex");
}

/** The last 40 of these digits: the form in which contracts and logs name it. */
export function coreHex(address: string): string {
  return toHexAddress(address).slice(2);
}

/** The base58check address of the 40 digits with which contracts and logs name it. */
export function fromCoreHex(hex: string): string {
  assert(/^[0-9a-fA-F]{40}$/.test(hex), "an address in 40 hexadecimal digits");
  return fromBytes(Uint8Array.from([version, ...Buffer.from(hex, "hex")]));
}

function fromBytes(bytes: Uint8Array): string {
  return base58check.encode(bytes);
}

/** Null unless it is base58check of 21 bytes that start with the version. */
function decode(text: string): Uint8Array | null {
  if (text.length !== 34) return null;
  try {
    const bytes = base58check.decode(text);
    return bytes.length === 21 && bytes[0] === version ? bytes : null;
  } catch {
    return null;
  }
}
