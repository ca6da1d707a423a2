import { present } from "../../platform/kernel/assert.ts";
import type { KeyRing } from "../draft-signer.ts";
import { addressText, type MoneroNetwork } from "./address.ts";
import {
  hashToScalar,
  integerOf,
  keccak,
  order,
  type Point,
  publicOf,
  scalarBytes,
} from "./curve.ts";

/** The keys of a Monero account, inside the signer only. */
export type MoneroKeys = {
  readonly spendSecret: bigint;
  readonly viewSecret: bigint;
  readonly spend: Point;
  readonly view: Point;
};

/**
 * Derives the keys of the account at a path of `accountPath`. The BIP-32 key at `/0/0` below it, hashed and reduced, is the secret spend
 * key, and the hash of that the secret view key, as in every deterministic wallet of Monero. On the main network, Ledger's devices derive
 * the same keys from the same words (m/44'/128'/0'/0/0). Throws `InvariantViolation` without private keys.
 */
export function deriveMoneroKeys(keyAt: KeyRing["at"], accountPath: string): MoneroKeys {
  const node = keyAt(`${accountPath}/0/0`);
  const spendSecret = integerOf(keccak(present(node.privateKey, "a private key"))) % order;
  node.wipePrivateData();
  return moneroKeysOf(spendSecret);
}

/** The keys of a deterministic wallet with that secret spend key. */
export function moneroKeysOf(spendSecret: bigint): MoneroKeys {
  const viewSecret = hashToScalar(scalarBytes(spendSecret));
  return {
    spendSecret,
    viewSecret,
    spend: publicOf(spendSecret),
    view: publicOf(viewSecret),
  };
}

/** The account's own address, to which change returns. */
export function primaryAddress({ spend, view }: MoneroKeys, network: MoneroNetwork): string {
  return addressText({ spend, view, isSubaddress: false }, network);
}

/** A secret key as wallets take it: 32 bytes in hexadecimal. */
export function secretHex(secret: bigint): string {
  return Buffer.from(scalarBytes(secret)).toString("hex");
}
