import { ed25519 } from "@noble/curves/ed25519.js";
import { blake2b } from "@noble/hashes/blake2.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha512 } from "@noble/hashes/sha2.js";
import { type CardanoNetworkKind, enterpriseAddress } from "../../currencies/cardano-address.ts";
import { type AccountKeyParts, readAccountKey } from "./account-key.ts";

/** Roles of CIP-1852: 0 for addresses that others pay, 1 for change. */
export type Role = 0 | 1;

const { Point } = ed25519;

/**
 * Enterprise addresses m/1852'/1815'/0'/role/index below an account's extended public key (BIP32-Ed25519, soft derivation), by @noble.
 */
export function createDerivation(
  accountKey: string,
  kind: CardanoNetworkKind,
  role: Role,
): (index: number) => string {
  const branch = childOf(readAccountKey(accountKey), role);
  return (index) =>
    enterpriseAddress(blake2b(childOf(branch, index).publicKey, { dkLen: 28 }), kind);
}

/** The public child: the parent and eight times the left 28 bytes of the digest, on the curve. */
function childOf({ publicKey, chainCode }: AccountKeyParts, index: number): AccountKeyParts {
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
