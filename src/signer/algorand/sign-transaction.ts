import { sha512_256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { base32nopad } from "@scure/base";
import type { Ed25519Key } from "../keys/ed25519-keys.ts";

/** Before a transaction in what is signed and hashed. */
const prefix = utf8ToBytes("TX");

/**
 * Signs a transaction with the key: Ed25519 over `TX` and the transaction, whose hash (SHA-512/256, in base32) is its id. Deterministic (RFC
 * 8032). `raw` is the map of signature and transaction in canonical msgpack.
 */
export function signTransaction(
  transaction: Uint8Array,
  key: Ed25519Key,
): { readonly txid: string; readonly raw: Uint8Array } {
  const message = Uint8Array.from([...prefix, ...transaction]);
  const signature = key.sign(message);
  return {
    txid: base32nopad.encode(sha512_256(message)),
    raw: Uint8Array.from([
      0x82,
      ...name("sig"),
      ...[0xc4, signature.length],
      ...signature,
      ...name("txn"),
      ...transaction,
    ]),
  };
}

function name(text: string): readonly number[] {
  return [0xa0 | text.length, ...utf8ToBytes(text)];
}
