import { blake2b } from "@noble/hashes/blake2.js";

/** Blake2b of 32 bytes: ids of transactions and blocks, hashes of datums and metadata. */
export function hash256(...parts: readonly Uint8Array[]): Uint8Array {
  return digest(32, parts);
}

/** Blake2b of 28 bytes: hashes of keys and scripts. */
export function hash224(...parts: readonly Uint8Array[]): Uint8Array {
  return digest(28, parts);
}

function digest(dkLen: number, parts: readonly Uint8Array[]): Uint8Array {
  const hash = blake2b.create({ dkLen });
  for (const part of parts) hash.update(part);
  return hash.digest();
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

export function unhex(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, "hex"));
}
