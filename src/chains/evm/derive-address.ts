import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { HDKey } from "@scure/bip32";
import { toChecksumAddress } from "../../currencies/eip55.ts";
import { assert, present } from "../../platform/kernel/assert.ts";

/**
 * Addresses m/44'/60'/0'/0/i below an account's extended public key (BIP-32, BIP-44; the coin type of ether serves all
 * EVM chains), in EIP-55 spelling. Throws for anything but the extended public key of an account.
 */
export function addressesBelow(accountXpub: string): (index: number) => string {
  const account = HDKey.fromExtendedKey(accountXpub);
  assert(account.privateKey === null, "watch-only: an extended public key is needed here");
  assert(account.depth === 3, "the extended public key is not that of an account (m/44'/60'/0')");
  const external = account.deriveChild(0);
  return (index) => {
    const compressed = present(external.deriveChild(index).publicKey, "a child has a public key");
    const uncompressed = secp256k1.Point.fromBytes(compressed).toBytes(false);
    return addressOfKey(uncompressed);
  };
}

/** The address of an uncompressed public key (65 bytes): the last 20 bytes of the hash of its two coordinates. */
function addressOfKey(uncompressed: Uint8Array): string {
  assert(uncompressed.length === 65, "an uncompressed public key has 65 bytes");
  const hash = keccak_256(uncompressed.subarray(1));
  return toChecksumAddress(`0x${Buffer.from(hash.subarray(12)).toString("hex")}`);
}
