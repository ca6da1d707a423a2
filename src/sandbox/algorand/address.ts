import { createHash } from "node:crypto";
import { base32nopad } from "@scure/base";

const checksumBytes = 4;

/** SHA-512/256 of a prefix and bytes, as everything on this chain is hashed. */
export function hashOf(prefix: string, ...parts: readonly Uint8Array[]): Uint8Array {
  return digestBy("sha512-256", Buffer.from(prefix), ...parts);
}

/** A hash by the name of its function. */
export function digestBy(
  algorithm: "sha512-256" | "sha256" | "sha512",
  ...parts: readonly Uint8Array[]
): Uint8Array {
  const hash = createHash(algorithm);
  for (const part of parts) hash.update(part);
  return Uint8Array.from(hash.digest());
}

/** A hash as text: 52 characters of base32. */
export function digestText(digest: Uint8Array): string {
  return base32nopad.encode(digest);
}

/** The 32 bytes of a hash in text form; null for anything else. */
export function readDigest(text: string): Uint8Array | null {
  return decodeBase32(text, 32);
}

/** An account's address: its 32 bytes and the last four of their hash, 58 characters. */
export function addressText(account: Uint8Array): string {
  const checksum = hashOf("", account).slice(-checksumBytes);
  return base32nopad.encode(Uint8Array.from([...account, ...checksum]));
}

/** The 32 bytes of an address; null when its length or its checksum is wrong. */
export function readAddress(text: string): Uint8Array | null {
  const account = decodeBase32(text, 32 + checksumBytes)?.slice(0, 32) ?? null;
  return account !== null && addressText(account) === text ? account : null;
}

function decodeBase32(text: string, length: number): Uint8Array | null {
  try {
    const bytes = base32nopad.decode(text);
    return bytes.length === length ? bytes : null;
  } catch {
    return null;
  }
}
