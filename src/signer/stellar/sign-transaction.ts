import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { Ed25519Key } from "../keys/ed25519-keys.ts";

/** ENVELOPE_TYPE_TX and ENVELOPE_TYPE_TX_FEE_BUMP, before the transaction in what is hashed and in the envelope. */
const envelopeType = Uint8Array.of(0, 0, 0, 2);
const bumpType = Uint8Array.of(0, 0, 0, 5);
const hintLength = 4;
/** Of an account in XDR, before its key; and a union without content, as extensions are. */
const zero = Uint8Array.of(0, 0, 0, 0);

/** A key of the signer: its own, or the child of another. */
type Key = Pick<Ed25519Key, "publicKey" | "sign">;

export type Signed = { readonly txid: string; readonly raw: Uint8Array };

/**
 * Signs a transaction with the keys: Ed25519 over SHA-256 of the network's id, the envelope's type and the transaction, which is also its id.
 * Deterministic (RFC 8032). `raw` is the `TransactionEnvelope` in XDR.
 */
export function signTransaction(
  transaction: Uint8Array,
  passphrase: string,
  keys: readonly Key[],
): Signed {
  const hash = hashOf(envelopeType, transaction, passphrase);
  return {
    txid: Buffer.from(hash).toString("hex"),
    raw: Uint8Array.from([...envelopeType, ...transaction, ...signaturesOf(hash, keys)]),
  };
}

/**
 * Signs a transaction with the keys, and the fee-bump transaction around it, for which the payer offers the fee (CAP-15). The id is that of the
 * transaction inside, since anybody may put that one into a fee-bump transaction of theirs.
 */
export function signWithBump(
  transaction: Uint8Array,
  passphrase: string,
  keys: readonly Key[],
  { payer, fee }: { readonly payer: Key; readonly fee: bigint },
): Signed {
  const inside = signTransaction(transaction, passphrase, keys);
  const offered = Buffer.alloc(8);
  offered.writeBigInt64BE(fee);
  const bump = Uint8Array.from([...zero, ...payer.publicKey, ...offered, ...inside.raw, ...zero]);
  const signatures = signaturesOf(hashOf(bumpType, bump, passphrase), [payer]);
  return { txid: inside.txid, raw: Uint8Array.from([...bumpType, ...bump, ...signatures]) };
}

function hashOf(type: Uint8Array, transaction: Uint8Array, passphrase: string): Uint8Array {
  const networkId = sha256(utf8ToBytes(passphrase));
  return sha256(Uint8Array.from([...networkId, ...type, ...transaction]));
}

/** `DecoratedSignature<>` in XDR. */
function signaturesOf(hash: Uint8Array, keys: readonly Key[]): readonly number[] {
  const signatures = keys.flatMap(({ publicKey, sign }) => {
    const signature = sign(hash);
    return [...publicKey.subarray(-hintLength), ...[0, 0, 0, signature.length], ...signature];
  });
  return [...[0, 0, 0, keys.length], ...signatures];
}
