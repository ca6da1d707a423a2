import { keccak_256 } from "@noble/hashes/sha3.js";
import { base58xmr } from "@scure/base";
import type { MoneroAddressPrefixes } from "./monero-facts.ts";

/*
 * Addresses of Monero: a prefix for network and kind, the public spend key, the public view key, with an integrated address a payment id of
 * eight bytes, and the first four bytes of the Keccak-256 of all that, in Monero's Base58 (blocks of eight bytes). A private chain uses
 * the prefixes of the main network.
 */

export type MoneroAddress = {
  readonly kind: keyof MoneroAddressPrefixes;
  /** 32 bytes each; not checked to be points of the curve. */
  readonly spendKey: Uint8Array;
  readonly viewKey: Uint8Array;
  /** 8 bytes; null unless the address is an integrated one. */
  readonly paymentId: Uint8Array | null;
};

const keyLength = 32;
const paymentIdLength = 8;
const checksumLength = 4;
/** Prefixes are varints; those of all networks take one byte. */
const keysAt = 1;
const viewKeyAt = keysAt + keyLength;
const keysEnd = viewKeyAt + keyLength;

/** Null for any text but an address with one of these prefixes. */
export function readMoneroAddress(
  text: string,
  prefixes: MoneroAddressPrefixes,
): MoneroAddress | null {
  // Standard addresses and subaddresses have 95 characters, integrated ones 106.
  if (!/^[1-9A-HJ-NP-Za-km-z]{95}(?:[1-9A-HJ-NP-Za-km-z]{11})?$/.test(text)) return null;
  let bytes: Uint8Array;
  try {
    bytes = base58xmr.decode(text);
  } catch {
    // A block of characters stands for a number that its bytes cannot hold.
    return null;
  }
  const body = bytes.subarray(0, -checksumLength);
  if (!isEqual(checksumOf(body), bytes.subarray(-checksumLength))) return null;
  const kinds = ["standard", "integrated", "subaddress"] as const;
  const kind = kinds.find((candidate) => prefixes[candidate] === body[0]);
  if (kind === undefined) return null;
  const length = keysEnd + (kind === "integrated" ? paymentIdLength : 0);
  if (body.length !== length || base58xmr.encode(bytes) !== text) return null;
  return {
    kind,
    spendKey: body.slice(keysAt, viewKeyAt),
    viewKey: body.slice(viewKeyAt, keysEnd),
    paymentId: kind === "integrated" ? body.slice(keysEnd) : null,
  };
}

/** The text of an address. */
export function moneroAddressText(
  { kind, paymentId, spendKey, viewKey }: MoneroAddress,
  prefixes: MoneroAddressPrefixes,
): string {
  const body = Uint8Array.from([prefixes[kind], ...spendKey, ...viewKey, ...(paymentId ?? [])]);
  return base58xmr.encode(Uint8Array.from([...body, ...checksumOf(body)]));
}

function checksumOf(body: Uint8Array): Uint8Array {
  return keccak_256(body).subarray(0, checksumLength);
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, place) => byte === other[place]);
}
