import { sha256 } from "@noble/hashes/sha2.js";
import { field, join } from "./protobuf.ts";

/** The members of `BlockHeader.raw` (core/Tron.proto) with their field numbers; the others are integers. */
const members: Readonly<Record<string, number>> = {
  timestamp: 1,
  txTrieRoot: 2,
  parentHash: 3,
  number: 7,
  witness_id: 8,
  witness_address: 9,
  version: 10,
  accountStateRoot: 11,
};

/**
 * The id of the block with this header, as a node prints it: eight bytes of its number, then the end of the SHA-256 of the header.
 * Null if the header has members of a later protocol, whose encoding is unknown.
 */
export function blockIdOf(raw: Readonly<Record<string, unknown>>): string | null {
  const names = Object.keys(raw);
  if (names.some((name) => members[name] === undefined)) return null;
  const encoded = Object.entries(members).map(([name, number]) => encodeMember(number, raw[name]));
  const digest = Buffer.from(sha256(join(encoded)));
  const number = Buffer.alloc(8);
  number.writeBigUInt64BE(BigInt(typeof raw["number"] === "number" ? raw["number"] : 0));
  return Buffer.concat([number, digest.subarray(8)]).toString("hex");
}

/** Nodes print bytes as text and integers as numbers. */
function encodeMember(number: number, value: unknown): Uint8Array {
  if (typeof value === "number") return field(number, BigInt(value));
  if (typeof value === "string" && value !== "") return field(number, Buffer.from(value, "hex"));
  return new Uint8Array();
}
