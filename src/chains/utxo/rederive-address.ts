import { hash160 } from "@bitauth/libauth/build/lib/crypto/combinations.js";
import { secp256k1, sha256 } from "@bitauth/libauth/build/lib/crypto/default-crypto-instances.js";
import { base58ToBin } from "@bitauth/libauth/build/lib/format/base-convert.js";
import { utf8ToBin } from "@bitauth/libauth/build/lib/format/utf8.js";
import {
  deriveHdPathRelative,
  type HdPublicNodeValid,
} from "@bitauth/libauth/build/lib/key/hd-key.js";
import type { AddressTypeName, UtxoNetwork } from "../../currencies/utxo-facts.ts";
import { assert } from "../../platform/kernel/assert.ts";
import { accountKeyVersion } from "./account-key.ts";
import type { Branch } from "./derive-address.ts";
import { addressOfPayee, type Payee, scriptKinds } from "./output-script.ts";

/**
 * Derives the same addresses as `createDerivation` with independent code: libauth (libsecp256k1 as WebAssembly) for the curve,
 * the hashes and base58, and our own bech32 and checksums.
 */
export function createSecondDerivation(
  network: UtxoNetwork,
  accountKey: string,
  addressType: AddressTypeName,
  branch: Branch,
): (index: number) => string {
  accountKeyVersion(accountKey, network.name);
  const parent = deriveHdPathRelative(decodeAccountKey(accountKey), String(branch));
  return (index) => {
    const { publicKey } = deriveHdPathRelative(parent, String(index));
    return addressOfPayee(network, payeeOfKey(publicKey, addressType));
  };
}

function payeeOfKey(publicKey: Uint8Array, addressType: AddressTypeName): Payee {
  const kind = scriptKinds[addressType];
  switch (addressType) {
    case "":
    case "legacy":
    case "bech32":
      return { kind, hash: hash160(publicKey) };
    case "p2sh-segwit":
      return { kind, hash: hash160(Uint8Array.from([0x00, 0x14, ...hash160(publicKey)])) };
    case "bech32m":
      return { kind, hash: taprootOutputKey(publicKey) };
  }
}

/** BIP341 without a script tree, as BIP86 requires: P + hash("TapTweak", x(P))G for the P of even y. */
function taprootOutputKey(publicKey: Uint8Array): Uint8Array {
  const evenKey = Uint8Array.from([0x02, ...publicKey.subarray(1)]);
  const tag = sha256.hash(utf8ToBin("TapTweak"));
  const tweak = sha256.hash(Uint8Array.from([...tag, ...tag, ...evenKey.subarray(1)]));
  const tweaked = secp256k1.addTweakPublicKeyCompressed(evenKey, tweak);
  assert(typeof tweaked !== "string", "a taproot key can be tweaked");
  return tweaked.subarray(1);
}

/** BIP32's serialization: version 4, depth 1, parent fingerprint 4, child index 4, chain code 32, key 33, checksum 4. */
function decodeAccountKey(accountKey: string): HdPublicNodeValid {
  const bytes = base58ToBin(accountKey);
  assert(typeof bytes !== "string", "a checked extended key is base58");
  const checksum = sha256.hash(sha256.hash(bytes.subarray(0, 78))).subarray(0, 4);
  if (!Buffer.from(checksum).equals(bytes.subarray(78)))
    throw new RangeError("an extended public key with a wrong checksum");
  return {
    depth: bytes[4] ?? 0,
    parentFingerprint: bytes.slice(5, 9),
    childIndex: Buffer.from(bytes).readUInt32BE(9),
    chainCode: bytes.slice(13, 45),
    publicKey: bytes.slice(45, 78),
  };
}
