import { secp256k1 } from "@bitauth/libauth/build/lib/crypto/default-crypto-instances.js";
import { assertSuccess } from "@bitauth/libauth/build/lib/format/error.js";
import {
  decodeHdPublicKey,
  deriveHdPublicNodeChild,
} from "@bitauth/libauth/build/lib/key/hd-key.js";
import { keccak_256 } from "@noble/hashes/sha3.js";

/**
 * Derives the same addresses as `addressesBelow` with another implementation of BIP-32 and of the curve (libauth, WebAssembly)
 * and its own EIP-55, so that a fault in either library is detected before an address is issued.
 */
export function addressesBelowAgain(accountXpub: string): (index: number) => string {
  const { node } = assertSuccess(decodeHdPublicKey(accountXpub));
  const external = assertSuccess(deriveHdPublicNodeChild(node, 0));
  return (index) => {
    const child = assertSuccess(deriveHdPublicNodeChild(external, index));
    const uncompressed = assertSuccess(secp256k1.uncompressPublicKey(child.publicKey));
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
