import { secp256k1 as wasmSecp256k1 } from "@bitauth/libauth/build/lib/crypto/default-crypto-instances.js";
import { assertSuccess } from "@bitauth/libauth/build/lib/format/error.js";
import {
  decodeHdPublicKey,
  deriveHdPublicNodeChild,
} from "@bitauth/libauth/build/lib/key/hd-key.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { HDKey } from "@scure/bip32";
import { toChecksumAddress } from "../../currencies/eip55.ts";
import { assert } from "../../platform/kernel/assert.ts";
import { childKeysOf } from "../child-keys.ts";

/**
 * Addresses m/44'/60'/0'/0/i below an account's extended public key (BIP-32, BIP-44; the coin type of ether serves all
 * EVM chains), in EIP-55 spelling. Throws for anything but the extended public key of an account.
 */
export function addressesBelow(accountXpub: string): (index: number) => string {
  const account = HDKey.fromExtendedKey(accountXpub);
  assert(account.privateKey === null, "watch-only: an extended public key is needed here");
  assert(account.depth === 3, "the extended public key is not that of an account (m/44'/60'/0')");
  const childAt = childKeysOf(account.deriveChild(0));
  return (index) => {
    const uncompressed = childAt(index).toBytes(false);
    return addressOfKey(uncompressed);
  };
}

/** The address of an uncompressed public key (65 bytes): the last 20 bytes of the hash of its two coordinates. */
function addressOfKey(uncompressed: Uint8Array): string {
  assert(uncompressed.length === 65, "an uncompressed public key has 65 bytes");
  const hash = keccak_256(uncompressed.subarray(1));
  return toChecksumAddress(`0x${toHex(hash.subarray(12))}`);
}

/**
 * Derives the same addresses as `addressesBelow` with another implementation of BIP-32 and of the curve (libauth, WebAssembly)
 * and its own EIP-55, so that a fault in either library is detected before an address is issued.
 */
export function addressesBelowAgain(accountXpub: string): (index: number) => string {
  const { node } = assertSuccess(decodeHdPublicKey(accountXpub));
  const external = assertSuccess(deriveHdPublicNodeChild(node, 0));
  return (index) => {
    const child = assertSuccess(deriveHdPublicNodeChild(external, index));
    const uncompressed = assertSuccess(wasmSecp256k1.uncompressPublicKey(child.publicKey));
    return checksummed(toHex(keccak_256(uncompressed.subarray(1)).subarray(12)));
  };
}

/** EIP-55: a letter is upper case where the corresponding digit of the lower-case text's hash is 8 or more. */
function checksummed(digits: string): string {
  const hash = toHex(keccak_256(new TextEncoder().encode(digits)));
  const cased = Array.from(digits, (digit, place) =>
    (hash[place] ?? "0") >= "8" ? digit.toUpperCase() : digit,
  );
  return `0x${cased.join("")}`;
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
