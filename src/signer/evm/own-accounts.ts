import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import type { KeyRing } from "../draft-signer.ts";

/**
 * The key paths of the service's own EVM accounts (BIP-44, coin type 60 on every EVM chain): the hot account, which pays, and
 * the gas account, whose coin pays for sweeping. Deposit addresses are the children of account 0.
 */
export const hotPath = "m/44'/60'/1'/0/0";
export const gasPath = "m/44'/60'/2'/0/0";

/** The path of deposit address `index`. */
export function depositPath(index: number): string {
  return `m/44'/60'/0'/0/${index}`;
}

/** The address of the key at the path, in lower case. */
export function addressAt(keys: KeyRing, path: string): string {
  const key = keys.at(path);
  try {
    const { publicKey } = key;
    if (publicKey === null) throw new Error(`no key at ${path}`);
    const uncompressed = secp256k1.Point.fromBytes(publicKey).toBytes(false);
    return `0x${Buffer.from(keccak_256(uncompressed.subarray(1)).subarray(12)).toString("hex")}`;
  } finally {
    key.wipePrivateData();
  }
}
