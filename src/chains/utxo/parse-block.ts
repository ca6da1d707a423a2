import type { TransactionFormat } from "../../currencies/utxo-facts.ts";
import { type MergedMining, readMergedMining } from "./merged-mining.ts";
import {
  type Cursor,
  doubleHash,
  idText,
  MalformedBytes,
  type RawTransaction,
  readCount,
  readTransaction,
  skip,
  transactionHash,
} from "./parse-transaction.ts";

/** The positions of a block's parts. */
export type BlockParts = {
  readonly bytes: Buffer;
  /** The header's double SHA-256, unless the chain's hashes are of another kind and come from the node. */
  readonly hash: string;
  readonly parentHash: string;
  /** Seconds since 1970, as stated by the miner. */
  readonly time: number;
  /** The proof of work that follows the header; null if the header has its own, or the chain knows no other. */
  readonly mergedMining: MergedMining | null;
  readonly transactions: readonly RawTransaction[];
  /** The end of each transaction. */
  readonly ends: readonly number[];
};

export type RawBlock = BlockParts & { readonly txids: readonly string[] };

const headerLength = 80;
const timeAt = 68;

/**
 * Parses a raw block and verifies it: the ids of its transactions must give the Merkle root of its header, so that no output of
 * ours gets a wrong id. Throws `MalformedBytes` for anything else. Data after the transactions (Litecoin's extension block) is
 * ignored.
 */
export function parseBlock(bytes: Buffer, format: TransactionFormat = "flagged"): RawBlock {
  return identify(splitBlock(bytes, format));
}

/**
 * Finds the transactions of a raw block, unhashed and unchecked; `mayBeMerged` on chains whose headers may be followed by a proof
 * of merged mining. Throws `MalformedBytes` if it is not a block.
 */
export function splitBlock(
  bytes: Buffer,
  format: TransactionFormat,
  mayBeMerged = false,
): BlockParts {
  const cursor: Cursor = { bytes, at: 0 };
  const mergedMining = mayBeMerged ? readMergedMining(bytes) : null;
  skip(cursor, mergedMining?.end ?? headerLength);
  const transactions: RawTransaction[] = [];
  const ends: number[] = [];
  for (let left = readCount(cursor); left > 0; left -= 1) {
    transactions.push(readTransaction(cursor, format));
    ends.push(cursor.at);
  }
  return {
    bytes,
    hash: idText(Buffer.from(doubleHash(bytes.subarray(0, headerLength)), "binary")),
    parentHash: idText(bytes.subarray(4, 36)),
    time: bytes.readUInt32LE(timeAt),
    mergedMining,
    transactions,
    ends,
  };
}

/** Adds the ids, verified as in `parseBlock`: most of the work, and needed only if something is ours. */
export function identify(block: BlockParts): RawBlock {
  const { bytes, transactions, ends } = block;
  const leaves = hashBytes(
    transactions.map((transaction, position) =>
      transactionHash(bytes, transaction, ends[position] ?? 0),
    ),
  );
  if (!merkleRoot(leaves).equals(bytes.subarray(36, 68)))
    throw new MalformedBytes("a block whose transactions are not those of its header");
  return { ...block, txids: idTexts(leaves) };
}

const hashLength = 32;

/** Concatenated hashes. */
function hashBytes(hashes: readonly string[]): Buffer {
  return Buffer.from(hashes.join(""), "binary");
}

/** Converts all ids at once: reversing the whole reverses each of them, with the last one first. */
function idTexts(hashes: Buffer): readonly string[] {
  const text = Buffer.from(hashes).reverse().toString("hex");
  const idLength = 2 * hashLength;
  return Array.from({ length: text.length / idLength }, (_, index) => {
    const end = text.length - index * idLength;
    return text.slice(end - idLength, end);
  });
}

/** The Merkle root of ids as shown, in the order of a header. Throws `MalformedBytes` where ids repeat, see `merkleRoot`. */
export function merkleRootOf(txids: readonly string[]): Buffer {
  return merkleRoot(Buffer.concat(txids.map((txid) => Buffer.from(txid, "hex").reverse())));
}

/**
 * Hashes pairs level by level; the last one of an odd level is paired with itself. So a block whose last transactions are
 * repeated has the same root as the one without (CVE-2012-2459): two equal neighbors, which no valid block has, are refused.
 */
function merkleRoot(leaves: Buffer): Buffer {
  let level = leaves;
  while (level.length > hashLength) {
    assertNoRepetition(level);
    const last = level.subarray(-hashLength);
    if (level.length % (2 * hashLength) !== 0) level = Buffer.concat([level, last]);
    const next: string[] = [];
    for (let at = 0; at < level.length; at += 2 * hashLength)
      next.push(doubleHash(level.subarray(at, at + 2 * hashLength)));
    level = hashBytes(next);
  }
  return level.length === 0 ? Buffer.alloc(hashLength) : level;
}

/** Compares only the members of a pair: repeating any other neighbors changes the root. */
function assertNoRepetition(level: Buffer): void {
  for (let at = 0; at + 2 * hashLength <= level.length; at += 2 * hashLength) {
    const middle = at + hashLength;
    if (level.compare(level, middle, middle + hashLength, at, middle) === 0)
      throw new MalformedBytes("a block that repeats transactions");
  }
}
