import { crc32 } from "node:zlib";
import { blake2b } from "@noble/hashes/blake2.js";
import { base58, bech32 } from "@scure/base";
import { DraftRefused } from "../draft-signer.ts";
import type { CardanoNetwork } from "./cardano-network.ts";

/** By the upper half of the header byte: base addresses of keys and scripts have 57 bytes, enterprise ones 29. */
const lengths: Readonly<Record<number, number>> = { 0: 57, 1: 57, 2: 57, 3: 57, 6: 29, 7: 29 };

/** The bytes that an output to the address contains. Throws `DraftRefused` for what cannot be paid on the network. */
export function bytesOfAddress(text: string, network: CardanoNetwork): Uint8Array {
  try {
    return /^addr(?:_test)?1/.test(text) ? readShelley(text, network) : readByron(text, network);
  } catch {
    throw new DraftRefused(`${text} is not an address of this network`);
  }
}

/** The enterprise address of a public key of ours. */
export function addressOfKey(publicKey: Uint8Array, { keys }: CardanoNetwork): Uint8Array {
  return Uint8Array.from([keys === "main" ? 0x61 : 0x60, ...blake2b(publicKey, { dkLen: 28 })]);
}

function readShelley(text: string, { keys }: CardanoNetwork): Uint8Array {
  // Longer than BIP-173 allows: CIP-19 sets no limit.
  const { prefix, words } = bech32.decode(text as `${string}1${string}`, false);
  const bytes = bech32.fromWords(words);
  const [header = 0] = bytes;
  const isOfNetwork =
    prefix === (keys === "main" ? "addr" : "addr_test") &&
    (header & 0x0f) === (keys === "main" ? 1 : 0);
  if (!isOfNetwork || lengths[header >> 4] !== bytes.length)
    throw new RangeError("another network");
  return bytes;
}

/** `[24(payload), crc32]`; the payload begins with a list of three and a hash of 28 bytes, and test networks put their magic into it. */
function readByron(text: string, { keys, magic }: CardanoNetwork): Uint8Array {
  const bytes = base58.decode(text);
  const hex = Buffer.from(bytes).toString("hex");
  const [, length, rest] = /^82d818(?:58([0-9a-f]{2}))(.*)$/.exec(hex) ?? [];
  if (length === undefined || rest === undefined) throw new RangeError("not of Byron");
  const payload = rest.slice(0, 2 * Number.parseInt(length, 16));
  const sum = /^(?:1a([0-9a-f]{8})|19([0-9a-f]{4}))$/.exec(rest.slice(payload.length));
  const [stated] = [sum?.[1], sum?.[2]].filter((digits) => digits !== undefined);
  if (stated === undefined || crc32(Buffer.from(payload, "hex")) !== Number.parseInt(stated, 16))
    throw new RangeError("a wrong checksum");
  const [, attributes] = /^83581c[0-9a-f]{56}(a.*)0[02]$/.exec(payload) ?? [];
  if (attributes === undefined) throw new RangeError("no payload");
  // {1: derivation path, 2: magic}, of which the main network has no magic.
  const path = "(?:01(?:4[0-9a-f]|581[89a-f]|5820)[0-9a-f]+?)?";
  const named = keys === "main" ? "" : `024${magicItem(magic).length / 2}${magicItem(magic)}`;
  if (!new RegExp(`^a[012]${path}${named}$`).test(attributes))
    throw new RangeError("another network");
  return bytes;
}

function magicItem(magic: number): string {
  if (magic < 24) return magic.toString(16).padStart(2, "0");
  if (magic < 2 ** 8) return `18${magic.toString(16).padStart(2, "0")}`;
  return magic < 2 ** 16
    ? `19${magic.toString(16).padStart(4, "0")}`
    : `1a${magic.toString(16).padStart(8, "0")}`;
}
