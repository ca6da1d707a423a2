import { type Instant, instantFromSeconds } from "../../platform/kernel/clock.ts";
import { Malformed } from "../rpc/answer.ts";
import { createByteReader } from "./byte-reader.ts";
import { hash, toHex, varint } from "./crypto/points.ts";
import { type MoneroTransaction, readReward } from "./transaction.ts";

/** A block as its bytes describe it. */
export type MoneroBlock = {
  readonly hash: string;
  readonly height: number;
  readonly parentHash: string;
  readonly time: Instant;
  /** The transaction that pays the miner. */
  readonly reward: MoneroTransaction;
  /** Ids of the others, in order. */
  readonly txids: readonly string[];
};

const hashLength = 32;
const nonceLength = 4;
const latestTime = 2 ** 32 - 1;

/**
 * Reads a block's bytes. Its hash covers everything in it, including the ids of its transactions, so it cannot be changed, only made up; the
 * proof of work is not checked. Throws `Malformed`.
 */
export function readBlock(bytes: Uint8Array): MoneroBlock {
  const reader = createByteReader(bytes);
  // The versions that it has and votes for.
  reader.varint();
  reader.varint();
  const seconds = reader.varint(latestTime);
  const parentHash = toHex(reader.bytes(hashLength));
  reader.bytes(nonceLength);
  const headerEnd = reader.at();
  const { height, reward } = readReward(bytes, reader);
  const count = reader.count(hashLength);
  const txids = Array.from({ length: count }, () => toHex(reader.bytes(hashLength)));
  if (!reader.isAtEnd()) throw new Malformed("bytes behind a block");
  const root = treeHash([reward.txid, ...txids].map((txid) => Buffer.from(txid, "hex")));
  const hashed = Buffer.concat([bytes.subarray(0, headerEnd), root, varint(count + 1)]);
  return {
    hash: toHex(hash(varint(hashed.length), hashed)),
    height,
    parentHash,
    time: instantFromSeconds(seconds),
    reward,
    txids,
  };
}

/** Monero's tree of hashes (src/crypto/tree-hash.c): the first ones wait until the rest is a power of two. */
function treeHash(hashes: readonly Uint8Array[]): Uint8Array {
  const [first, second] = hashes;
  if (first === undefined) throw new Malformed("a block without transactions");
  if (second === undefined) return first;
  if (hashes.length === 2) return hash(first, second);
  let width = 2;
  while (width * 2 < hashes.length) width *= 2;
  const waiting = 2 * width - hashes.length;
  let level = [...hashes.slice(0, waiting), ...pairs(hashes.slice(waiting))];
  while (level.length > 1) level = [...pairs(level)];
  return level[0] ?? first;
}

function pairs(hashes: readonly Uint8Array[]): readonly Uint8Array[] {
  return Array.from({ length: hashes.length / 2 }, (_, place) =>
    hash(...hashes.slice(2 * place, 2 * place + 2)),
  );
}
