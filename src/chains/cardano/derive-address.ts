import { blake2b } from "@noble/hashes/blake2.js";
import { type CardanoNetworkKind, enterpriseAddress } from "../../currencies/cardano-address.ts";
import { childOf, readAccountKey } from "../ed25519-child-keys.ts";

/** Roles of CIP-1852: 0 for addresses that others pay, 1 for change. */
export type Role = 0 | 1;

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
