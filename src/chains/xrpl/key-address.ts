import {
  ripemd160 as wasmRipemd160,
  sha256 as wasmSha256,
} from "@bitauth/libauth/build/lib/crypto/default-crypto-instances.js";
import { binToBase58 } from "@bitauth/libauth/build/lib/format/base-convert.js";
import { ripemd160 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { classicAddress } from "../../currencies/xrpl-address.ts";
import { assert, present } from "../../platform/kernel/assert.ts";

/** The classic address of a compressed secp256k1 key: its account id is RIPEMD-160 of SHA-256 of the key. */
export function addressOfKey(publicKey: Uint8Array): string {
  assert(publicKey.length === 33, "a compressed public key has 33 bytes");
  return classicAddress(ripemd160(sha256(publicKey)));
}

const bitcoinAlphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const rippleAlphabet = "rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz";

/** The same address by other implementations of both hashes and of base58 (libauth, WebAssembly). */
export function addressOfKeyAgain(publicKey: Uint8Array): string {
  const payload = Uint8Array.from([0, ...wasmRipemd160.hash(wasmSha256.hash(publicKey))]);
  const checksum = wasmSha256.hash(wasmSha256.hash(payload)).subarray(0, 4);
  const text = binToBase58(Uint8Array.from([...payload, ...checksum]));
  return Array.from(text, (letter) =>
    present(rippleAlphabet[bitcoinAlphabet.indexOf(letter)], "a letter of base58"),
  ).join("");
}
