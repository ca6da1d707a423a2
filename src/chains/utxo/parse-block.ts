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

/** Where the parts of a block stand. */
export type BlockParts = {
  readonly bytes: Buffer;
  readonly hash: string;
  readonly parentHash: string;
  /** Seconds since 1970, as its miner says. */
  readonly time: number;
  readonly transactions: readonly RawTransaction[];
  /** Where each transaction ends. */
  readonly ends: readonly number[];
};

export type RawBlock = BlockParts & { readonly txids: readonly string[] };

const headerLength = 80;
const timeAt = 68;

/**
 * Parses a raw block and checks it against itself: the ids of its transactions must give the Merkle root of its header,
 * so that no output of ours stands under a wrong id. Throws `MalformedBytes` for anything else. What follows the
 * transactions (Litecoin's extension block) is not read.
 */
export function parseBlock(bytes: Buffer): RawBlock {
  return identify(splitBlock(bytes));
}

/** Finds the transactions of a raw block, unhashed and unchecked. Throws `MalformedBytes` for bytes that hold no block. */
export function splitBlock(bytes: Buffer): BlockParts {
  const cursor: Cursor = { bytes, at: 0 };
  skip(cursor, headerLength);
  const transactions: RawTransaction[] = [];
  const ends: number[] = [];
  for (let left = readCount(cursor); left > 0; left -= 1) {
    transactions.push(readTransaction(cursor));
    ends.push(cursor.at);
  }
  return {
    bytes,
    hash: idText(Buffer.from(doubleHash(bytes.subarray(0, headerLength)), "binary")),
    parentHash: idText(bytes.subarray(4, 36)),
    time: bytes.readUInt32LE(timeAt),
    transactions,
    ends,
  };
}

/** Adds the ids, checked as `parseBlock` tells: most of the work, and needed only where something is ours. */
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

/** Hashes behind one another. */
function hashBytes(hashes: readonly string[]): Buffer {
  return Buffer.from(hashes.join(""), "binary");
}

/** All ids by one conversion: reversed as a whole they are each reversed, the last one first. */
function idTexts(hashes: Buffer): readonly string[] {
  const text = Buffer.from(hashes).reverse().toString("hex");
  const idLength = 2 * hashLength;
  return Array.from({ length: text.length / idLength }, (_, index) => {
    const end = text.length - index * idLength;
    return text.slice(end - idLength, end);
  });
}

/**
 * Pairs are hashed level by level; the last one of an odd level is paired with itself. So a block whose last transactions are repeated
 * has the same root as the one without (CVE-2012-2459): two equal neighbors, which no valid block has, are refused.
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

/** Of pairs only: no other neighbors can be repeated without another root. */
function assertNoRepetition(level: Buffer): void {
  for (let at = 0; at + 2 * hashLength <= level.length; at += 2 * hashLength) {
    const middle = at + hashLength;
    if (level.compare(level, middle, middle + hashLength, at, middle) === 0)
      throw new MalformedBytes("a block that repeats transactions");
  }
}
