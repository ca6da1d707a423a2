import { sha512 } from "@noble/hashes/sha2.js";
import { instantFromSeconds } from "../../platform/kernel/clock.ts";
import type { BlockRef } from "../port.ts";
import { type Fields, Malformed, readFields } from "../rpc/answer.ts";
import { readByte, readDrops, readHash, readUint32 } from "./answer.ts";

/** Seconds from 1970 to 2000-01-01T00:00:00Z, where the ledger's time begins. */
const epochSeconds = 946_684_800;
/** "LWR" and a zero byte. */
const hashPrefix = 0x4c575200;

/** The header in the answer of `ledger`; its hash must match its fields, so that a node cannot alter one of them. */
export function readHeader(result: Fields): BlockRef {
  const ledger = readFields(result["ledger"]);
  const height = readUint32(ledger["ledger_index"]);
  const hash = readHash(ledger["ledger_hash"] ?? result["ledger_hash"]);
  const parentHash = readHash(ledger["parent_hash"]);
  const closeTime = readUint32(ledger["close_time"]);
  const computed = hashOf(ledger, height, parentHash, closeTime);
  if (computed !== hash)
    throw new Malformed(`ledger ${hash}, whose header has the hash ${computed}`);
  return { height, hash, parentHash, time: instantFromSeconds(closeTime + epochSeconds) };
}

/** The hash of a ledger header (`calculateLedgerHash` of rippled). */
function hashOf(ledger: Fields, height: number, parentHash: string, closeTime: number): string {
  const bytes = Buffer.alloc(122);
  let at = bytes.writeUInt32BE(hashPrefix, 0);
  at = bytes.writeUInt32BE(height, at);
  at = bytes.writeBigUInt64BE(readDrops(ledger["total_coins"]), at);
  for (const hash of [parentHash, ledger["transaction_hash"], ledger["account_hash"]])
    at += bytes.write(readHash(hash), at, "hex");
  at = bytes.writeUInt32BE(readUint32(ledger["parent_close_time"]), at);
  at = bytes.writeUInt32BE(closeTime, at);
  at = bytes.writeUInt8(readByte(ledger["close_time_resolution"]), at);
  bytes.writeUInt8(readByte(ledger["close_flags"]), at);
  return sha512Half(bytes);
}

/** The first half of SHA-512 in upper-case hexadecimal. */
function sha512Half(bytes: Uint8Array): string {
  return Buffer.from(sha512(bytes).subarray(0, 32)).toString("hex").toUpperCase();
}
