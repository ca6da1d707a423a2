import { secp256k1 } from "@noble/curves/secp256k1.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { KeyRing } from "../draft-signer.ts";
import { bytesField } from "./protobuf.ts";

/** 32 bytes each for r and s, and the recovery number plus 27. */
const signatureLength = 65;

/** The fields of `Transaction` in core/Tron.proto. */
const rawDataField = 1;
const signatureField = 2;

/**
 * Signs `raw_data` with the key at the path: ECDSA over its SHA-256, which is also the transaction's id. Deterministic (RFC 6979),
 * with the lower of both possible `s`.
 */
export function signTransaction(
  rawData: Uint8Array,
  keys: KeyRing,
  path: string,
): { readonly txid: string; readonly raw: Uint8Array } {
  const hash = sha256(rawData);
  const key = keys.at(path);
  // A copy: wiping the key leaves it intact.
  const { privateKey } = key;
  try {
    if (privateKey === null) throw new Error(`no private key at ${path}`);
    const signed = secp256k1.sign(hash, privateKey, { prehash: false, format: "recovered" });
    const [recovery = 0] = signed;
    const signature = Uint8Array.from([...signed.subarray(1), recovery + 27]);
    return {
      txid: Buffer.from(hash).toString("hex"),
      raw: Uint8Array.from([
        ...bytesField(rawDataField, rawData),
        ...bytesField(signatureField, signature),
      ]),
    };
  } finally {
    privateKey?.fill(0);
    key.wipePrivateData();
  }
}

/** The bytes of the signed transaction, as they count for bandwidth before its result is added. */
export function signedLength(rawData: Uint8Array): number {
  return (
    bytesField(rawDataField, rawData).length +
    bytesField(signatureField, new Uint8Array(signatureLength)).length
  );
}
