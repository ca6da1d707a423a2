import { base58ToBin, binToBase58 } from "@bitauth/libauth/build/lib/format/base-convert.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";

/** An address as the ledger keeps it: `41` and twenty bytes, 42 lower-case hexadecimal digits. */
export type HexAddress = string;

const prefix = "41";
const checksumLength = 4;

/** Whether the node would take these bytes for an address. */
export function isAddress(hex: string): boolean {
  return /^41[0-9a-f]{40}$/.test(hex);
}

export function toBase58(hex: string): string {
  const bytes = hexToBytes(hex);
  return binToBase58(Uint8Array.of(...bytes, ...checksumOf(bytes)));
}

/** The bytes of a base58check text in hexadecimal; null when its characters or its checksum are wrong. */
export function fromBase58(text: string): HexAddress | null {
  const bytes = base58ToBin(text);
  if (typeof bytes === "string" || bytes.length <= checksumLength) return null;
  const payload = bytes.subarray(0, -checksumLength);
  const isIntact = bytesToHex(checksumOf(payload)) === bytesToHex(bytes.subarray(-checksumLength));
  return isIntact ? bytesToHex(payload) : null;
}

function checksumOf(payload: Uint8Array): Uint8Array {
  return sha256(sha256(payload)).subarray(0, checksumLength);
}

/** The address of the same twenty bytes in the EVM. */
export function toEvm(hex: HexAddress): `0x${string}` {
  return `0x${hex.slice(prefix.length)}`;
}

export function fromEvm(address: string): HexAddress {
  return prefix + address.slice(2).toLowerCase();
}

/** The address of an uncompressed public key of 65 bytes. */
export function addressOfKey(publicKey: Uint8Array): HexAddress {
  return prefix + bytesToHex(keccak_256(publicKey.subarray(1)).subarray(-20));
}

/** The address of the contract that a transaction deploys. */
export function contractAddressOf(txid: string, owner: HexAddress): HexAddress {
  return prefix + bytesToHex(keccak_256(hexToBytes(txid + owner)).subarray(-20));
}
