import { createHash } from "node:crypto";
import { base58ToBin, binToBase58 } from "@bitauth/libauth/build/lib/format/base-convert.js";

/*
 * Base58check by libauth's base58 and Node's SHA-256. libauth's own base58check loads all of its WebAssembly (6 MB), and the first
 * derivation of addresses uses another library.
 */

const checksumBytes = 4;
/** libauth ignores a character above U+00FF and everything before it, so a text with one would be read as what follows. */
const alphabet = /^[1-9A-HJ-NP-Za-km-z]+$/;

/** The bytes before the checksum; null for any other text. */
export function base58CheckBytes(text: string): Buffer | null {
  if (!alphabet.test(text)) return null;
  const decoded = base58ToBin(text);
  if (typeof decoded === "string" || decoded.length <= checksumBytes) return null;
  const bytes = Buffer.from(decoded);
  const content = bytes.subarray(0, -checksumBytes);
  return checksumOf(content).equals(bytes.subarray(-checksumBytes)) ? content : null;
}

export function base58CheckText(content: Uint8Array): string {
  return binToBase58(Uint8Array.from([...content, ...checksumOf(content)]));
}

function checksumOf(content: Uint8Array): Buffer {
  return sha256(sha256(content)).subarray(0, checksumBytes);
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}
