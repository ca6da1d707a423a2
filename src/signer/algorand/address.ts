import { sha512_256 } from "@noble/hashes/sha2.js";
import { base32nopad } from "@scure/base";
import { DraftRefused } from "../draft-signer.ts";

const keyLength = 32;
const checksumLength = 4;

/** The Ed25519 public key in an address. Throws `DraftRefused` for any other text; `name` appears in the reason. */
export function readAddress(text: unknown, name: string): Uint8Array {
  const key = typeof text === "string" ? decoded(text)?.slice(0, keyLength) : undefined;
  // One spelling per key, so encoding it again proves length and checksum.
  if (key?.length !== keyLength || addressText(key) !== text)
    throw new DraftRefused(`${name} is not an address of Algorand`);
  return key;
}

/** The address of a public key: the key and the last four bytes of its hash, in base32. */
export function addressText(publicKey: Uint8Array): string {
  const checksum = sha512_256(publicKey).slice(-checksumLength);
  return base32nopad.encode(Uint8Array.from([...publicKey, ...checksum]));
}

function decoded(text: string): Uint8Array | null {
  try {
    return base32nopad.decode(text);
  } catch {
    return null;
  }
}
