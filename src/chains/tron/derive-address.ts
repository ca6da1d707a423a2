import {
  secp256k1 as wasmSecp256k1,
  sha256 as wasmSha256,
} from "@bitauth/libauth/build/lib/crypto/default-crypto-instances.js";
import { binToBase58 } from "@bitauth/libauth/build/lib/format/base-convert.js";
import { assertSuccess } from "@bitauth/libauth/build/lib/format/error.js";
import {
  decodeHdPublicKey,
  deriveHdPublicNodeChild,
} from "@bitauth/libauth/build/lib/key/hd-key.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { HDKey } from "@scure/bip32";
import { assert } from "../../platform/kernel/assert.ts";
import { childKeysOf } from "../child-keys.ts";
import { fromCoreHex } from "./address.ts";

/**
 * Addresses m/44'/195'/0'/0/i below an account's extended public key (BIP-32, BIP-44), in base58check. Throws for anything but
 * the extended public key of an account.
 */
export function addressesBelow(accountXpub: string): (index: number) => string {
  const account = HDKey.fromExtendedKey(accountXpub, versionsOf(accountXpub));
  assert(account.privateKey === null, "watch-only: an extended public key is needed here");
  assert(account.depth === 3, "the extended public key is not that of an account (m/44'/195'/0')");
  const childAt = childKeysOf(account.deriveChild(0));
  return (index) => {
    const uncompressed = childAt(index).toBytes(false);
    return fromCoreHex(Buffer.from(keyHash(uncompressed)).toString("hex"));
  };
}

/**
 * Derives the same addresses with other implementations of BIP-32, of the curve, of SHA-256 (libauth, WebAssembly) and of
 * base58, so that a fault in either is detected before an address is issued.
 */
export function addressesBelowAgain(accountXpub: string): (index: number) => string {
  const { node } = assertSuccess(decodeHdPublicKey(accountXpub));
  const external = assertSuccess(deriveHdPublicNodeChild(node, 0));
  return (index) => {
    const child = assertSuccess(deriveHdPublicNodeChild(external, index));
    const uncompressed = assertSuccess(wasmSecp256k1.uncompressPublicKey(child.publicKey));
    const payload = Uint8Array.from([0x41, ...keyHash(uncompressed)]);
    const checksum = wasmSha256.hash(wasmSha256.hash(payload)).subarray(0, 4);
    return binToBase58(Uint8Array.from([...payload, ...checksum]));
  };
}

/** The last 20 bytes of the hash of an uncompressed public key's two coordinates. */
function keyHash(uncompressed: Uint8Array): Uint8Array {
  assert(uncompressed.length === 65, "an uncompressed public key has 65 bytes");
  return keccak_256(uncompressed.subarray(1)).subarray(12);
}

/** Version bytes of BIP-32: keys of test networks start with tpub. */
function versionsOf(accountXpub: string): { readonly public: number; readonly private: number } {
  return accountXpub.startsWith("t")
    ? { public: 0x043587cf, private: 0x04358394 }
    : { public: 0x0488b21e, private: 0x0488ade4 };
}
