import { secp256k1 } from "@noble/curves/secp256k1.js";
import { hexToBytes } from "@noble/hashes/utils.js";
import { addressOfKey, type HexAddress, toBase58 } from "./address.ts";
import { Refusal, type Transaction } from "./transaction.ts";

const signatureMax = 5;

/** Every account is its own owner (permission 0) and its own active signer (2), each with one key. */
export function checkSignature({ contract, signatures, txid }: Transaction): void {
  const refuse = (reason: string): never => {
    throw new Refusal("SIGERROR", reason);
  };
  if (signatures.length === 0 || contract === null) refuse("miss sig or contract");
  if (signatures.length > signatureMax) refuse("too many signatures");
  const permissionId = contract?.permissionId ?? 0n;
  if (permissionId !== 0n && permissionId !== 2n) refuse("permission isn't exit");
  if (signatures.length > 1)
    refuse(`Signature count is ${signatures.length} more than key counts of permission : 1`);
  const [signature = ""] = signatures;
  if (signature.length < 130) refuse(`Signature size is ${signature.length / 2}`);
  const signer = signerOf(signature, txid) ?? refuse("Signature cannot be recovered");
  if (signer !== contract?.owner)
    refuse(`${signature} is signed by ${toBase58(signer)} but it is not contained of permission.`);
}

/** The address whose key made a signature (r, s, v); null for bytes that no key makes. */
export function signerOf(signature: string, txid: string): HexAddress | null {
  const bytes = hexToBytes(signature);
  const last = bytes[64] ?? 0;
  const bit = last >= 27 ? last - 27 : last;
  try {
    const recoverable = Uint8Array.of(bit, ...bytes.subarray(0, 64));
    const key = secp256k1.recoverPublicKey(recoverable, hexToBytes(txid), { prehash: false });
    return addressOfKey(secp256k1.Point.fromBytes(key).toBytes(false));
  } catch {
    return null;
  }
}
