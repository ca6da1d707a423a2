import { crc32 } from "node:zlib";
import { base58, bech32 } from "@scure/base";
import { bytesOf, CborError, decode, listOf } from "./cbor.ts";
import { hex } from "./hash.ts";

/** A key or a script by its hash in hex. */
export type Credential = { readonly kind: "key" | "script"; readonly hash: string };

const credentialBytes = 28;
/** The first four bits of an address (CIP-19). */
const byron = 8;
const stakeTypes: ReadonlySet<number> = new Set([14, 15]);

function typeOf(address: Uint8Array): number {
  return (address[0] ?? 0) >> 4;
}

/** The text of an address: base58 for one of Byron, bech32 otherwise. */
export function addressText(address: Uint8Array): string {
  const type = typeOf(address);
  if (type === byron) return base58.encode(address);
  const network = (address[0] ?? 0) & 15;
  const prefix = `${stakeTypes.has(type) ? "stake" : "addr"}${network === 1 ? "" : "_test"}`;
  return bech32Text(prefix, address);
}

/** Bech32 of any length: most addresses have more than the 90 characters of BIP-173. */
export function bech32Text(prefix: string, bytes: Uint8Array): string {
  return bech32.encode(prefix, bech32.toWords(bytes), false);
}

/** The bytes of an address's text; null for any other text. */
export function readAddress(text: string): Uint8Array | null {
  const bytes = fromBech32(text, /^(?:addr|stake)(?:_test)?$/) ?? fromBase58(text);
  return bytes !== null && addressText(bytes) === text ? bytes : null;
}

/** The data of a bech32 text whose prefix matches; null for any other text. */
export function fromBech32(text: string, prefix: RegExp): Uint8Array | null {
  try {
    const { bytes, prefix: found } = bech32.decodeToBytes(text, false);
    return prefix.test(found) ? Uint8Array.from(bytes) : null;
  } catch {
    return null;
  }
}

function fromBase58(text: string): Uint8Array | null {
  try {
    const bytes = base58.decode(text);
    return isByron(bytes) ? bytes : null;
  } catch {
    return null;
  }
}

/** Whether it is a Byron address: its content in bytes, and their CRC-32. */
function isByron(address: Uint8Array): boolean {
  try {
    const [content, checksum] = listOf(decode(address));
    if (content?.kind !== "tag" || checksum?.kind !== "int") return false;
    return checksum.value === BigInt(crc32(bytesOf(content.item)));
  } catch (error) {
    if (error instanceof CborError) return false;
    throw error;
  }
}

/** Who may spend what an address has; null for an address of Byron. */
export function paymentCredential(address: Uint8Array): Credential | null {
  const type = typeOf(address);
  if (type === byron) return null;
  return credentialAt(address, 1, (type & 1) === 1);
}

/** Who the stake of an address belongs to; null for an address without one, or with a pointer. */
export function stakeCredential(address: Uint8Array): Credential | null {
  const type = typeOf(address);
  if (stakeTypes.has(type)) return credentialAt(address, 1, type === 15);
  return type < 4 ? credentialAt(address, 1 + credentialBytes, (type & 2) === 2) : null;
}

function credentialAt(address: Uint8Array, at: number, isScript: boolean): Credential {
  return {
    kind: isScript ? "script" : "key",
    hash: hex(address.subarray(at, at + credentialBytes)),
  };
}

/** The address of a key without stake on a test network. */
export function keyAddress(keyHash: Uint8Array): Uint8Array {
  return Uint8Array.of(0x60, ...keyHash);
}

/** The address of a script without stake on a test network. */
export function scriptAddress(scriptHash: Uint8Array): Uint8Array {
  return Uint8Array.of(0x70, ...scriptHash);
}
