import { ripemd160 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { base58xrp } from "@scure/base";
import { DraftRefused, type KeyRing } from "../draft-signer.ts";
import { accountPath, type KeyNetwork } from "../keys/account-paths.ts";

/*
 * Accounts of the XRP Ledger as its bytes name them: 20 bytes in hexadecimal, lower case. Their text (a classic address) is base58 in the
 * ledger's alphabet, with a zero byte before and four bytes of checksum behind.
 */

const idLength = 20;
const checksumLength = 4;

/** The path of the hot account's key, which signs everything. */
export function hotPathOf(network: KeyNetwork): string {
  return `${accountPath({ coinType: 144, isSharedByNetworks: false }, "hot", network)}/0/0`;
}

/** The compressed public key at the path, 33 bytes. */
export function publicKeyAt(keys: KeyRing, path: string): Uint8Array {
  const key = keys.at(path);
  const { publicKey } = key;
  key.wipePrivateData();
  if (publicKey === null) throw new Error(`no public key at ${path}`);
  return publicKey;
}

/** The account whose master key this is: RIPEMD-160 of SHA-256. */
export function accountOfKey(publicKey: Uint8Array): string {
  return Buffer.from(ripemd160(sha256(publicKey))).toString("hex");
}

/** Reads a classic address. Throws `DraftRefused` for any other text; `name` appears in the reason. */
export function readAccount(text: unknown, name: string): string {
  const bytes = typeof text === "string" ? decoded(text) : null;
  if (bytes?.length !== 1 + idLength + checksumLength || bytes[0] !== 0)
    throw new DraftRefused(`${name} is not a classic address`);
  const payload = bytes.subarray(0, 1 + idLength);
  if (!checksumOf(payload).every((byte, at) => byte === bytes[1 + idLength + at]))
    throw new DraftRefused(`${name} has a wrong checksum`);
  return Buffer.from(payload.subarray(1)).toString("hex");
}

/** The classic address of an account. */
export function accountText(account: string): string {
  const payload = Uint8Array.from([0, ...Buffer.from(account, "hex")]);
  return base58xrp.encode(Uint8Array.from([...payload, ...checksumOf(payload)]));
}

function checksumOf(payload: Uint8Array): Uint8Array {
  return sha256(sha256(payload)).subarray(0, checksumLength);
}

function decoded(text: string): Uint8Array | null {
  try {
    return text.length > 40 ? null : base58xrp.decode(text);
  } catch {
    return null;
  }
}
