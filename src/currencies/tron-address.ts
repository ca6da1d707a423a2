import { sha256 } from "@noble/hashes/sha2.js";
import { hexToBytes } from "@noble/hashes/utils.js";
import { createBase58check } from "@scure/base";

/** The version byte of every TRON network. */
export const tronVersion = 0x41;

const base58check = createBase58check(sha256);
const hexForm = /^(?:0x)?(41[0-9a-fA-F]{40})$/;

/** The 21 bytes, version first, of an address in base58check; null for anything else. */
export function tronAddressBytes(text: string): Uint8Array | null {
  if (text.length !== 34) return null;
  try {
    const bytes = base58check.decode(text);
    return bytes.length === 21 && bytes[0] === tronVersion ? bytes : null;
  } catch {
    return null;
  }
}

/** The base58check spelling of 21 bytes. */
export function tronAddressText(bytes: Uint8Array): string {
  return base58check.encode(bytes);
}

/** The base58check spelling of an address in that form, or in 42 hexadecimal digits; null for anything else. */
export function canonicalTronAddress(text: string): string | null {
  const hex = hexForm.exec(text)?.[1];
  if (hex !== undefined) return tronAddressText(hexToBytes(hex));
  return tronAddressBytes(text) === null ? null : text;
}
