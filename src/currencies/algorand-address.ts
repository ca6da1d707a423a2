import { sha512_256 } from "@noble/hashes/sha2.js";
import { base32nopad } from "@scure/base";

/*
 * Addresses of Algorand: an Ed25519 public key, or the hash that stands for a program or several keys, followed by the last four bytes of
 * its SHA-512/256, in base32 without padding. The same on every network.
 */

const keyLength = 32;
const checksumLength = 4;

/** The 32 bytes of an address; null for any text but the one spelling of an address. */
export function readAlgorandAddress(text: string): Uint8Array | null {
  if (!/^[A-Z2-7]{58}$/.test(text)) return null;
  let bytes: Uint8Array;
  try {
    bytes = base32nopad.decode(text);
  } catch {
    // The last character has unused bits that are not zero.
    return null;
  }
  const key = bytes.slice(0, keyLength);
  return algorandAddressText(key) === text ? key : null;
}

/** The address of 32 bytes. */
export function algorandAddressText(key: Uint8Array): string {
  const checksum = sha512_256(key).slice(-checksumLength);
  return base32nopad.encode(Uint8Array.from([...key, ...checksum]));
}
