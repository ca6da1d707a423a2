import { sha256 } from "@noble/hashes/sha2.js";
import { base58xrp } from "@scure/base";

/*
 * Addresses of the XRP Ledger. A classic address is an account id of 20 bytes; an X-address (XLS-5) holds the id, an optional
 * destination tag, and whether it is for a test network. Both are base58 in the ledger's own alphabet with a checksum.
 */

const idLength = 20;
const checksumLength = 4;
const classicPrefix = [0x00];
const xPrefixes = { main: [0x05, 0x44], test: [0x04, 0x93] };

export type XrplNetworkKind = keyof typeof xPrefixes;

export type XAddress = {
  readonly accountId: Uint8Array;
  /** Decimal text; null without one. */
  readonly tag: string | null;
  readonly network: XrplNetworkKind;
};

/** The account id in a classic address; null for anything else. */
export function accountIdOf(text: string): Uint8Array | null {
  const bytes = decodeChecked(text);
  return bytes?.length === classicPrefix.length + idLength && bytes[0] === classicPrefix[0]
    ? bytes.subarray(1)
    : null;
}

/** The classic address of an account id. */
export function classicAddress(accountId: Uint8Array): string {
  return encodeChecked([...classicPrefix, ...accountId]);
}

/** Reads an X-address; null for anything else, also for tags of 64 bits, which are reserved. */
export function readXAddress(text: string): XAddress | null {
  const bytes = decodeChecked(text);
  if (bytes?.length !== 2 + idLength + 1 + 8) return null;
  const network = (["main", "test"] as const).find((name) =>
    xPrefixes[name].every((byte, at) => bytes[at] === byte),
  );
  if (network === undefined) return null;
  const flag = bytes[2 + idLength];
  const view = new DataView(bytes.buffer, bytes.byteOffset + 2 + idLength + 1, 8);
  const [low, high] = [view.getUint32(0, true), view.getUint32(4, true)];
  const accountId = bytes.subarray(2, 2 + idLength);
  if (flag === 0 && low === 0 && high === 0) return { accountId, tag: null, network };
  return flag === 1 && high === 0 ? { accountId, tag: String(low), network } : null;
}

/** The X-address of an account, with or without a tag. */
export function xAddressText({ accountId, tag, network }: XAddress): string {
  const tail = new Uint8Array(9);
  if (tag !== null) {
    tail[0] = 1;
    new DataView(tail.buffer).setUint32(1, Number(tag), true);
  }
  return encodeChecked([...xPrefixes[network], ...accountId, ...tail]);
}

function encodeChecked(payload: readonly number[]): string {
  return base58xrp.encode(Uint8Array.from([...payload, ...checksumOf(Uint8Array.from(payload))]));
}

function decodeChecked(text: string): Uint8Array | null {
  // The longest form has 47 characters; decoding takes quadratic time.
  if (text.length > 60 || !/^[1-9A-HJ-NP-Za-km-z]+$/.test(text)) return null;
  const bytes = base58xrp.decode(text);
  const payload = bytes.subarray(0, -checksumLength);
  const checksum = bytes.subarray(-checksumLength);
  return bytes.length > checksumLength &&
    checksumOf(payload).every((byte, at) => byte === checksum[at])
    ? payload
    : null;
}

function checksumOf(payload: Uint8Array): Uint8Array {
  return sha256(sha256(payload)).subarray(0, checksumLength);
}
