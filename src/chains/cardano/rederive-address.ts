import { createHmac } from "node:crypto";
import blakejs from "blakejs";
import type { CardanoNetworkKind } from "../../currencies/cardano-address.ts";
import { type AccountKeyParts, readAccountKey } from "../ed25519-child-keys.ts";
import type { Role } from "./derive-address.ts";
import { addPoints, basePoint, decodePoint, encodePoint, multiplyPoint } from "./edwards-curve.ts";

/**
 * Derives the same addresses as `createDerivation` with other implementations of the curve and of bech32 (our own), of BLAKE2b (blakejs) and of
 * HMAC (Node), so that a fault in either is detected before an address is issued.
 */
export function createSecondDerivation(
  accountKey: string,
  kind: CardanoNetworkKind,
  role: Role,
): (index: number) => string {
  const branch = childOf(readAccountKey(accountKey), role);
  const [prefix, header] = kind === "main" ? ["addr", 0x61] : ["addr_test", 0x60];
  return (index) => {
    const hash = blakejs.blake2b(childOf(branch, index).publicKey, undefined, 28);
    return encodeBech32(prefix, Uint8Array.from([header, ...hash]));
  };
}

function childOf({ publicKey, chainCode }: AccountKeyParts, index: number): AccountKeyParts {
  const place = Buffer.alloc(4);
  place.writeUInt32LE(index);
  const digest = (tag: number): Buffer =>
    createHmac("sha512", chainCode)
      .update(Uint8Array.of(tag))
      .update(publicKey)
      .update(place)
      .digest();
  const left = Buffer.from(digest(2).subarray(0, 28)).reverse().toString("hex");
  const added = multiplyPoint(basePoint, 8n * BigInt(`0x${left}`));
  return {
    publicKey: encodePoint(addPoints(decodePoint(publicKey), added)),
    chainCode: Uint8Array.from(digest(3).subarray(32)),
  };
}

const alphabet = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/** BIP-173. */
function encodeBech32(prefix: string, bytes: Uint8Array): string {
  const words = fiveBits(bytes);
  const letters = [...Buffer.from(prefix, "latin1")];
  const expanded = [...letters.map((code) => code >> 5), 0, ...letters.map((code) => code & 31)];
  const sum = checksum([...expanded, ...words, 0, 0, 0, 0, 0, 0]) ^ 1;
  const tail = Array.from({ length: 6 }, (_, at) => (sum >> (5 * (5 - at))) & 31);
  return `${prefix}1${[...words, ...tail].map((word) => alphabet[word]).join("")}`;
}

function fiveBits(bytes: Uint8Array): readonly number[] {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((group) => Number.parseInt(group.padEnd(5, "0"), 2));
}

function checksum(values: readonly number[]): number {
  return values.reduce((sum, value) => {
    const top = sum >>> 25;
    const next = ((sum & 0x1ffffff) << 5) ^ value;
    return generators.reduce(
      (rest, one, bit) => (((top >> bit) & 1) === 1 ? rest ^ one : rest),
      next,
    );
  }, 1);
}
