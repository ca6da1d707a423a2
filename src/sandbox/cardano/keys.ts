import { ed25519 } from "@noble/curves/ed25519.js";
import { bytesToNumberLE, numberToBytesLE } from "@noble/curves/utils.js";
import { sha512 } from "@noble/hashes/sha2.js";
import { concatBytes } from "@noble/hashes/utils.js";
import { present } from "../../platform/kernel/assert.ts";
import { bech32Text, fromBech32 } from "./address.ts";
import { hash224 } from "./hash.ts";

/** An extended Ed25519 key, as Cardano's wallets have them: the scalar, and what makes nonces. */
export type Key = {
  readonly secret: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly hash: Uint8Array;
};

const prefix = "ed25519e_sk";
const { Point } = ed25519;

/** A test key that everyone knows, by its name. */
export function keyNamed(name: string): Key {
  const secret = sha512(new TextEncoder().encode(`${name} of a simulated Cardano network`));
  secret[0] = (secret[0] ?? 0) & 0xf8;
  secret[31] = ((secret[31] ?? 0) & 0x1f) | 0x40;
  return keyOf(secret);
}

function keyOf(secret: Uint8Array): Key {
  const publicKey = Point.BASE.multiply(scalarOf(secret.subarray(0, 32))).toBytes();
  return { secret, publicKey, hash: hash224(publicKey) };
}

/** The key's 64 bytes as text, `ed25519e_sk1…`. */
export function keyText({ secret }: Key): string {
  return bech32Text(prefix, secret);
}

/** Throws `InvariantViolation` for another text. */
export function readKey(text: string): Key {
  return keyOf(present(fromBech32(text, new RegExp(`^${prefix}$`)), "an extended key"));
}

/** The signature of RFC 8032 with the given scalar and nonce key. */
export function sign(message: Uint8Array, { publicKey, secret }: Key): Uint8Array {
  const nonce = scalarOf(sha512(concatBytes(secret.subarray(32), message)));
  const commitment = Point.BASE.multiply(nonce).toBytes();
  const challenge = scalarOf(sha512(concatBytes(commitment, publicKey, message)));
  const response = Point.Fn.create(nonce + challenge * scalarOf(secret.subarray(0, 32)));
  return concatBytes(commitment, numberToBytesLE(response, 32));
}

function scalarOf(bytes: Uint8Array): bigint {
  return Point.Fn.create(bytesToNumberLE(bytes));
}
