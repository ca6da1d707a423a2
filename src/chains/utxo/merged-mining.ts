import {
  type Cursor,
  doubleHash,
  MalformedBytes,
  readCount,
  readTransaction,
  skip,
  transactionHash,
} from "./parse-transaction.ts";

/** The proof behind a header that a miner of another chain made its work for: the positions and parts of a `CAuxPow`. */
export type MergedMining = {
  /** Ends where the block's transactions begin. */
  readonly end: number;
  /** The id of the parent chain's coinbase, in the chain's byte order. */
  readonly coinbaseHash: Buffer;
  /** The script of the coinbase's first input, which commits to the block. */
  readonly coinbaseScript: Buffer;
  readonly coinbaseBranch: Branch;
  readonly chainBranch: Branch;
  /** The header with the work. */
  readonly parent: Buffer;
};

/** Hashes from a leaf of a Merkle tree to its root, and the leaf's place. */
type Branch = { readonly hashes: readonly Buffer[]; readonly place: number };

/** `BLOCK_VERSION_AUXPOW`: such a proof follows the header. */
const mergedFlag = 0x100;
const chainIdShift = 16;
const headerLength = 80;
const merkleRootAt = 36;
const hashLength = 32;
/** No tree of chains is higher. */
const branchMax = 30;
/** Announces the root of the tree of chains in a coinbase. */
const announcement = Buffer.from("fabe6d6d", "hex");
/** Without announcement, the root starts within so many bytes. */
const bareRootAtMax = 20;
const outpointLength = 36;

/**
 * Parses the proof that follows a header with the flag of merged mining; null for a header without it. Throws `MalformedBytes` for
 * anything else.
 */
export function readMergedMining(bytes: Buffer): MergedMining | null {
  if (bytes.length < headerLength) throw new MalformedBytes("the bytes end too early");
  if ((bytes.readUInt32LE(0) & mergedFlag) === 0) return null;
  const cursor: Cursor = { bytes, at: headerLength };
  const coinbase = readTransaction(cursor, "flagged");
  const coinbaseEnd = cursor.at;
  // Nodes read the first input and ignore the others.
  const [inputAt] = coinbase.inputs;
  if (inputAt === undefined)
    throw new MalformedBytes("a parent block whose first transaction has no inputs");
  const scriptAt: Cursor = { bytes, at: inputAt + outpointLength };
  const scriptLength = readCount(scriptAt);
  // The hash of the parent block, which nodes ignore.
  skip(cursor, hashLength);
  const coinbaseBranch = readBranch(cursor);
  const chainBranch = readBranch(cursor);
  skip(cursor, headerLength);
  return {
    end: cursor.at,
    coinbaseHash: Buffer.from(transactionHash(bytes, coinbase, coinbaseEnd), "binary"),
    coinbaseScript: bytes.subarray(scriptAt.at, scriptAt.at + scriptLength),
    coinbaseBranch,
    chainBranch,
    parent: bytes.subarray(cursor.at - headerLength, cursor.at),
  };
}

function readBranch(cursor: Cursor): Branch {
  const hashes: Buffer[] = [];
  for (let left = readCount(cursor); left > 0; left -= 1) {
    skip(cursor, hashLength);
    hashes.push(cursor.bytes.subarray(cursor.at - hashLength, cursor.at));
  }
  skip(cursor, 4);
  return { hashes, place: cursor.bytes.readInt32LE(cursor.at - 4) };
}

/**
 * Whether the parent header's work was made for the block of that hash (Dogecoin Core's `CAuxPow::check`): the parent's coinbase
 * commits to the block, at the one place that belongs to the chain `chainId`, and is the coinbase of that parent. With `isStrict`,
 * as on main networks, the parent is no block of the same chain, whose work would count twice.
 */
export function isWorkedFor(
  { chainBranch, coinbaseBranch, coinbaseHash, coinbaseScript, parent }: MergedMining,
  hash: string,
  { chainId, isStrict }: { readonly chainId: number; readonly isStrict: boolean },
): boolean {
  const merkleRoot = parent.subarray(merkleRootAt, merkleRootAt + hashLength);
  if (isStrict && parent.readUInt32LE(0) >>> chainIdShift === chainId) return false;
  if (coinbaseBranch.place !== 0 || !rootOf(coinbaseHash, coinbaseBranch).equals(merkleRoot))
    return false;
  const { hashes, place } = chainBranch;
  if (hashes.length > branchMax) return false;
  const chainRoot = rootOf(Buffer.from(hash, "hex").reverse(), chainBranch).reverse();
  const rootAt = coinbaseScript.indexOf(chainRoot);
  if (rootAt === -1 || !isAnnounced(coinbaseScript, rootAt)) return false;
  const sizeAt = rootAt + hashLength;
  if (coinbaseScript.length < sizeAt + 8) return false;
  const nonce = coinbaseScript.readUInt32LE(sizeAt + 4);
  return (
    coinbaseScript.readUInt32LE(sizeAt) === 2 ** hashes.length &&
    place === placeOf(chainId, nonce, hashes.length)
  );
}

/** The only announcement stands right before the root; without any, the root starts early. */
function isAnnounced(script: Buffer, rootAt: number): boolean {
  const first = script.indexOf(announcement);
  if (first === -1) return rootAt <= bareRootAtMax;
  return script.indexOf(announcement, first + 1) === -1 && first + announcement.length === rootAt;
}

/** The leaf of a chain in a tree of that height (`getExpectedIndex`), so that one tree has no two blocks of it. */
function placeOf(chainId: number, nonce: number, height: number): number {
  const multiplier = 1_103_515_245;
  const increment = 12_345;
  const first = (Math.imul(nonce, multiplier) + increment + chainId) >>> 0;
  const second = (Math.imul(first, multiplier) + increment) >>> 0;
  return second % 2 ** height;
}

function rootOf(leaf: Buffer, { hashes, place }: Branch): Buffer {
  let root = leaf;
  let left = place;
  for (const hash of hashes) {
    const pair = (left & 1) === 1 ? [hash, root] : [root, hash];
    root = Buffer.from(doubleHash(Buffer.concat(pair)), "binary");
    left >>= 1;
  }
  return Buffer.from(root);
}
