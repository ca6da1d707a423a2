import { secp256k1 } from "@noble/curves/secp256k1.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { createBase58check } from "@scure/base";
import { DraftRefused, type KeyRing } from "../draft-signer.ts";
import { type KeyNetwork, tronAccounts } from "../keys/account-paths.ts";

/** The key paths of the service's own TRON accounts: the hot account pays, the gas account's coin and energy serve sweeping. */
export type OwnPaths = {
  readonly hot: string;
  readonly gas: string;
  readonly depositAt: (index: number) => string;
};

const base58check = createBase58check(sha256);
const version = 0x41;
/** BIP-32 without hardened keys. */
const indexEnd = 2 ** 31;

/** The paths on a main or test network. */
export function ownPaths(network: KeyNetwork): OwnPaths {
  const { deposits, hot, gas } = tronAccounts(network);
  return {
    hot: `${hot}/0/0`,
    gas: `${gas}/0/0`,
    depositAt: (index) => `${deposits}/0/${assertKeyIndex(index)}`,
  };
}

/** The address of the key at the path: 42 lower-case digits. */
export function addressAt(keys: KeyRing, path: string): string {
  const key = keys.at(path);
  try {
    const { publicKey } = key;
    if (publicKey === null) throw new Error(`no key at ${path}`);
    const uncompressed = secp256k1.Point.fromBytes(publicKey).toBytes(false);
    const hash = keccak_256(uncompressed.subarray(1)).subarray(12);
    return Buffer.from([version, ...hash]).toString("hex");
  } finally {
    key.wipePrivateData();
  }
}

/**
 * The 42 lower-case digits of an address in base58check. Throws `DraftRefused` for any other text; `name` appears in the reason.
 */
export function readAddress(text: unknown, name: string): string {
  const bytes = typeof text === "string" ? decoded(text) : null;
  if (bytes?.length !== 21 || bytes[0] !== version)
    throw new DraftRefused(`${name} is not a TRON address`);
  return Buffer.from(bytes).toString("hex");
}

/** The base58check spelling of 42 digits. */
export function addressText(hex: string): string {
  return base58check.encode(Uint8Array.from(Buffer.from(hex, "hex")));
}

/** Checks the number of a deposit address. Throws `DraftRefused` for anything else. */
export function assertKeyIndex(index: unknown): number {
  if (typeof index !== "number" || !Number.isInteger(index) || index < 0 || index >= indexEnd)
    throw new DraftRefused("not the number of a deposit address");
  return index;
}

function decoded(text: string): Uint8Array | null {
  try {
    return base58check.decode(text);
  } catch {
    return null;
  }
}
