import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { Ed25519Key } from "../keys/ed25519-keys.ts";

/** ENVELOPE_TYPE_TX, before the transaction in what is hashed and in the envelope. */
const envelopeType = Uint8Array.of(0, 0, 0, 2);
const hintLength = 4;

/**
 * Signs a transaction with the key: Ed25519 over SHA-256 of the network's id, the envelope's type and the transaction, which is also its id.
 * Deterministic (RFC 8032). `raw` is the `TransactionEnvelope` in XDR.
 */
export function signTransaction(
  transaction: Uint8Array,
  passphrase: string,
  key: Ed25519Key,
): { readonly txid: string; readonly raw: Uint8Array } {
  const networkId = sha256(utf8ToBytes(passphrase));
  const hash = sha256(Uint8Array.from([...networkId, ...envelopeType, ...transaction]));
  const signature = key.sign(hash);
  const signatures = [
    ...[0, 0, 0, 1],
    ...key.publicKey.subarray(-hintLength),
    ...[0, 0, 0, signature.length],
    ...signature,
  ];
  return {
    txid: Buffer.from(hash).toString("hex"),
    raw: Uint8Array.from([...envelopeType, ...transaction, ...signatures]),
  };
}
