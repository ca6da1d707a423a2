import { sha512_256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { base32nopad } from "@scure/base";
import { instantFromSeconds, latestSeconds } from "../../platform/kernel/clock.ts";
import type { BlockRef } from "../port.ts";
import { Malformed } from "../rpc/answer.ts";
import { readRound, readUnits } from "./answer.ts";
import { type Move, movesOf } from "./moves.ts";
import { decodePacked, encodeMember, joinMembers, type PackedMap } from "./msgpack.ts";
import { addressIn, hashIn, hashLength, listIn, mapIn } from "./packed-fields.ts";

/** A transaction of a block, with everything that it and its inner transactions moved. Blocks contain none that failed. */
export type ExecutedTransaction = {
  readonly txid: string;
  /** Whose money pays the fee, and whose key signed, unless the account was rekeyed. */
  readonly sender: string;
  readonly feeUnits: bigint;
  readonly moves: readonly Move[];
};

export type AlgorandBlock = {
  readonly header: BlockRef;
  readonly transactions: readonly ExecutedTransaction[];
};

/**
 * Reads a block in msgpack. Its hash is computed from its header, so it is the one that the next block names. Hashes and transaction ids
 * are base32. Throws `Malformed`.
 */
export function readBlock(document: unknown): AlgorandBlock {
  if (!(document instanceof Uint8Array)) throw new Malformed("no bytes");
  const block = mapIn(mapIn(decodePacked(document)).get("block"));
  const header = joinMembers(
    block.members.filter(({ name }) => name !== "txns").map(({ bytes }) => bytes),
  );
  const seconds = readRound(block.get("ts"));
  if (seconds > latestSeconds) throw new Malformed("a time that is too late");
  const prev = block.get("prev");
  if (block.get("gh") === undefined) throw new Malformed("no genesis hash");
  return {
    header: {
      height: readRound(block.get("rnd")),
      hash: base32nopad.encode(taggedHash("BH", header)),
      // The block 0 names none.
      parentHash: base32nopad.encode(
        prev === undefined ? new Uint8Array(hashLength) : hashIn(prev),
      ),
      time: instantFromSeconds(seconds),
    },
    transactions: listIn(block.get("txns")).map((one) => readTransaction(mapIn(one), block)),
  };
}

function readTransaction(signed: PackedMap, block: PackedMap): ExecutedTransaction {
  const transaction = mapIn(signed.get("txn"));
  return {
    txid: txidOf(wholeTransaction(signed, transaction, block)),
    sender: addressIn(transaction.get("snd")),
    feeUnits: readUnits(transaction.get("fee")),
    moves: movesOf(signed),
  };
}

/** A transaction's id, from its encoding: `TX` and the transaction, hashed. */
export function txidOf(transaction: Uint8Array): string {
  return base32nopad.encode(taggedHash("TX", transaction));
}

/** Blocks leave out what each of their transactions says about the network: its genesis hash, and its genesis id if it had one. */
function wholeTransaction(signed: PackedMap, transaction: PackedMap, block: PackedMap): Uint8Array {
  const members = new Map(transaction.members.map(({ name, bytes }) => [name, bytes]));
  const [id, hash] = [block.get("gen"), block.get("gh")];
  if (signed.get("hgi") === true && typeof id === "string")
    members.set("gen", encodeMember("gen", id));
  if (hash instanceof Uint8Array) members.set("gh", encodeMember("gh", hash));
  const sorted = [...members].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return joinMembers(sorted.map(([, bytes]) => bytes));
}

/** SHA-512/256 of a prefix, which keeps the hashes of different things apart, and the bytes. */
function taggedHash(prefix: string, bytes: Uint8Array): Uint8Array {
  return sha512_256(Buffer.concat([utf8ToBytes(prefix), bytes]));
}
