import { ed25519 } from "@noble/curves/ed25519.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha512 } from "@noble/hashes/sha2.js";
import { bech32 } from "@scure/base";

/** The extended public key of an Ed25519 account (BIP32-Ed25519): key and chain code, 32 bytes each. */
export type AccountKeyParts = { readonly publicKey: Uint8Array; readonly chainCode: Uint8Array };

const { Point } = ed25519;

/** Reads `acct_xvk…` (CIP-5). Throws `RangeError` for anything else, in particular for a private key. */
export function readAccountKey(text: string): AccountKeyParts {
  const { prefix, words } = bech32.decode(text as `${string}1${string}`, false);
  const bytes = bech32.fromWords(words);
  if (prefix !== "acct_xvk" || bytes.length !== 64)
    throw new RangeError("not the extended public key of an Ed25519 account (acct_xvk)");
  return { publicKey: bytes.slice(0, 32), chainCode: bytes.slice(32) };
}

/** The public child by a soft step: the parent and eight times the left 28 bytes of the digest, on the curve. */
export function childOf({ publicKey, chainCode }: AccountKeyParts, index: number): AccountKeyParts {
  const data = new Uint8Array(37);
  data.set(publicKey, 1);
  new DataView(data.buffer).setUint32(33, index, true);
  data[0] = 2;
  const left = hmac(sha512, chainCode, data).subarray(0, 28);
  data[0] = 3;
  const code = hmac(sha512, chainCode, data).slice(32);
  const scalar = 8n * left.reduceRight((number, byte) => number * 256n + BigInt(byte), 0n);
  const added = Point.BASE.multiplyUnsafe(scalar % Point.Fn.ORDER);
  return { publicKey: Point.fromBytes(publicKey).add(added).toBytes(), chainCode: code };
}
