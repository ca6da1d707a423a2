import { secp256k1 } from "@noble/curves/secp256k1.js";
import { sha512 } from "@noble/hashes/sha2.js";
import type { KeyRing } from "../draft-signer.ts";
import { publicKeyAt } from "./own-account.ts";

/** What is hashed begins with these: "STX" and "TXN", each with a zero byte. */
const prefixes = {
  signing: Uint8Array.of(0x53, 0x54, 0x58, 0),
  id: Uint8Array.of(0x54, 0x58, 0x4e, 0),
};
/** Fields of type 7: SigningPubKey is number 3, TxnSignature number 4. */
const headers = { publicKey: 0x73, signature: 0x74 };

/**
 * Signs a transaction with the key at the path: ECDSA over the first half of SHA-512 of the bytes with the public key. Deterministic (RFC
 * 6979), with the lower of both possible `s`, which the ledger requires. The id is in upper-case hexadecimal.
 */
export function signTransaction(
  { accountsAt, unsigned }: { readonly accountsAt: number; readonly unsigned: Uint8Array },
  keys: KeyRing,
  path: string,
): { readonly txid: string; readonly raw: Uint8Array } {
  const publicKey = publicKeyAt(keys, path);
  const [before, accounts] = [unsigned.subarray(0, accountsAt), unsigned.subarray(accountsAt)];
  const named = [...before, headers.publicKey, publicKey.length, ...publicKey];
  const digest = half(Uint8Array.from([...prefixes.signing, ...named, ...accounts]));
  const key = keys.at(path);
  // A copy: wiping the key leaves it intact.
  const { privateKey } = key;
  try {
    if (privateKey === null) throw new Error(`no private key at ${path}`);
    const signature = secp256k1.sign(digest, privateKey, { prehash: false, format: "der" });
    const raw = Uint8Array.from([
      ...named,
      headers.signature,
      signature.length,
      ...signature,
      ...accounts,
    ]);
    const id = half(Uint8Array.from([...prefixes.id, ...raw]));
    return { txid: Buffer.from(id).toString("hex").toUpperCase(), raw };
  } finally {
    privateKey?.fill(0);
    key.wipePrivateData();
  }
}

function half(bytes: Uint8Array): Uint8Array {
  return sha512(bytes).subarray(0, 32);
}
