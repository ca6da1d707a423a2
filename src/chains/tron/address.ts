import type { ListedTokens } from "../../currencies/currency.ts";
import {
  canonicalTronAddress,
  tronAddressBytes,
  tronAddressText,
  tronVersion,
} from "../../currencies/tron-address.ts";
import { assert } from "../../platform/kernel/assert.ts";

/*
 * A TRON address is one version byte and the 20 bytes that an EVM chain would use. Its text is base58check; nodes and logs also
 * write it in hexadecimal, with the version byte (42 digits) or without it (40 digits).
 */

/**
 * Addresses below this belong to the virtual machine's own contracts (the highest is 0x1000015), or are zero: they have no private
 * key, and what is sent there is lost.
 */
const reservedBelow = 1n << 32n;
/** The account "Blackhole" of the genesis block, which collects burned coin. */
const sinks = new Set(["TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy"]);

/**
 * The base58check spelling of an address that can be paid, else null. Also reads the hexadecimal form with its version byte, with
 * or without `0x`. Forty digits are refused, since they may be an EVM chain's address. So are reserved addresses, known sinks, and
 * `refused` (base58check): the deployment's token contracts.
 */
export function parseTronAddress(text: string, refused: Pick<ListedTokens, "has">): string | null {
  const address = canonicalTronAddress(text);
  if (address === null || sinks.has(address) || refused.has(address)) return null;
  return BigInt(`0x${coreHex(address)}`) < reservedBelow ? null : address;
}

/** The 21 bytes of a base58check address. Throws `InvariantViolation` for anything else. */
export function addressBytes(address: string): Uint8Array {
  const bytes = tronAddressBytes(address);
  assert(bytes !== null, `not a TRON address: ${address}`);
  return bytes;
}

/** A base58check address in the form that nodes use: 42 lower-case hexadecimal digits. */
export function toHexAddress(address: string): string {
  return Buffer.from(addressBytes(address)).toString("hex");
}

/** A base58check address in the form that contracts and logs use: the last 40 of these digits. */
export function coreHex(address: string): string {
  return toHexAddress(address).slice(2);
}

/** The base58check address for the 40 digits in a contract or log. */
export function fromCoreHex(hex: string): string {
  assert(/^[0-9a-fA-F]{40}$/.test(hex), "an address in 40 hexadecimal digits");
  return tronAddressText(Uint8Array.from([tronVersion, ...Buffer.from(hex, "hex")]));
}
