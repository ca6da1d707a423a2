import { ed25519 } from "@noble/curves/ed25519.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { ripemd160 } from "@noble/hashes/legacy.js";
import { sha256, sha512 } from "@noble/hashes/sha2.js";
import { decode, encode, encodeForSigning } from "ripple-binary-codec";
import { classicAddress } from "../../currencies/xrpl-address.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import { sha512Half } from "./objects.ts";
import { RpcError } from "./rpc-error.ts";

/** A signed transaction. */
export type Transaction = {
  /** 64 hexadecimal digits in upper case. */
  readonly txid: string;
  /** Hexadecimal, upper case. */
  readonly blob: string;
  readonly json: TransactionJson;
};

/** Its members in rippled's JSON; those that depend on the type are checked where they are used. */
export type TransactionJson = JsonObject & {
  readonly TransactionType: string;
  readonly Account: string;
  readonly Fee: JsonValue;
  readonly Sequence: number;
  readonly SigningPubKey: string;
};

const idPrefix = Uint8Array.of(0x54, 0x58, 0x4e, 0);

/** Reads a blob in hexadecimal. Throws `RpcError` for one that is no transaction; its signature is not checked. */
export function readTransaction(hex: unknown): Transaction {
  if (typeof hex !== "string" || !/^(?:[0-9A-Fa-f]{2})+$/.test(hex))
    throw new RpcError("invalidParams", "Invalid parameters.");
  const blob = hex.toUpperCase();
  const json = decodeBlob(blob);
  return { txid: sha512Half(idPrefix, Buffer.from(blob, "hex")), blob, json };
}

function decodeBlob(blob: string): TransactionJson {
  try {
    const json = decode(blob) as JsonObject;
    if (encode(json) !== blob) throw new Error("not in canonical form");
    for (const name of ["TransactionType", "Account", "SigningPubKey"])
      if (typeof json[name] !== "string")
        throw new Error(`Field '${name}' is required but missing.`);
    if (typeof json["Sequence"] !== "number" || json["Fee"] === undefined)
      throw new Error("Field 'Sequence' or 'Fee' is required but missing.");
    return json as TransactionJson;
  } catch (error) {
    throw new RpcError("invalidTransaction", errorMessage(error));
  }
}

/** Whether the transaction's signature is that of its key: Ed25519, or secp256k1 in its fully canonical form. */
export function isSigned({ json }: Transaction): boolean {
  const { SigningPubKey, TxnSignature } = json;
  if (typeof TxnSignature !== "string") return false;
  const signed = Buffer.from(encodeForSigning(json), "hex");
  const key = Buffer.from(SigningPubKey, "hex");
  const signature = Buffer.from(TxnSignature, "hex");
  try {
    if (key[0] === 0xed) return ed25519.verify(signature, signed, key.subarray(1));
    const digest = sha512(signed).subarray(0, 32);
    return secp256k1.verify(signature, digest, key, { prehash: false, lowS: true, format: "der" });
  } catch {
    return false;
  }
}

/** The account whose master key this is. */
export function accountOfKey(publicKey: string): string {
  return classicAddress(ripemd160(sha256(Buffer.from(publicKey, "hex"))));
}
