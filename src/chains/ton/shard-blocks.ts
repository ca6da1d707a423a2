import { readTonAddress } from "../../currencies/ton-address.ts";
import { present } from "../../platform/kernel/assert.ts";
import { Malformed, readFields, readList, readText } from "../rpc/answer.ts";
import { NodeFault } from "../rpc/node-error.ts";
import { readBigInt, readHash, readInteger } from "./answer.ts";
import { masterchain, type TransactionRef } from "./questions.ts";
import type { AskToncenter, ToncenterQuestion } from "./toncenter-node.ts";

/*
 * The blocks of the basechain. A shard has the accounts whose ids begin with certain bits. It splits and merges, so the blocks that an account
 * can be in are a chain through several shards.
 */

/** A block of a shard, as `BlockIdExt` of the chain's own protocol names it. */
export type ShardBlock = {
  /** The bits with which its accounts begin, then a 1, as an unsigned number of 64 bits. */
  readonly shard: bigint;
  readonly seqno: number;
  /** 64 hexadecimal digits each. */
  readonly rootHash: string;
  readonly fileHash: string;
};

/** An account of the basechain by its id, 32 bytes. */
type AccountId = Uint8Array;

const basechain = 0;
const bits = 64;

/** The id of an account of the basechain in its canonical spelling. */
export function accountIdOf(account: string): AccountId {
  return present(readTonAddress(account), "an address").id;
}

/** The number of the first masterchain block that ends after a logical time, which the node has reached. */
export function masterBlockAfter(lt: bigint): ToncenterQuestion<number> {
  return {
    method: "lookupBlock",
    params: { ...masterchain, lt: lt.toString() },
    read: (result) => readInteger(readFields(result)["seqno"]),
  };
}

/** The newest block of the account's shard that a masterchain block refers to. */
export function newestBlockOf(account: AccountId, height: number): ToncenterQuestion<ShardBlock> {
  return {
    method: "shards",
    params: { seqno: height },
    read: (result) => readBlockOf(account, readFields(result)["shards"]),
  };
}

/** The block before a block, in the shard that the account was in then. */
function blockBefore(account: AccountId, block: ShardBlock): ToncenterQuestion<ShardBlock> {
  return {
    method: "getBlockHeader",
    params: nameOf(block),
    read: (result) => {
      const { id, prev_blocks } = readFields(result);
      assertSame(readShardBlock(id), block);
      const before = readBlockOf(account, prev_blocks);
      if (before.seqno >= block.seqno)
        throw new Malformed(`block ${before.seqno} before ${block.seqno}`);
      return before;
    },
  };
}

/** A masterchain block refers to so many blocks of a shard at most; the protocol allows eight. */
const chainedMax = 32;

/** The blocks that the account can be in after a block, up to another one and with it, oldest first. */
export async function blocksBetween(
  ask: AskToncenter,
  account: AccountId,
  after: ShardBlock | null,
  upTo: ShardBlock,
): Promise<readonly ShardBlock[]> {
  const known = after?.seqno ?? 0;
  const found: ShardBlock[] = [];
  let block = upTo;
  while (block.seqno > known) {
    if (found.length === chainedMax)
      throw new NodeFault("garbage", `has too many blocks of a shard before ${upTo.seqno}`);
    found.push(block);
    block = await ask(blockBefore(account, block));
  }
  if (after !== null && !isSame(block, after))
    throw new NodeFault("garbage", `answers block ${block.rootHash} for ${after.rootHash}`);
  return found.reverse();
}

/** At most so many transactions are in one answer; few accounts have as many in a block. */
const listedMax = 40;

/** The account's transactions in a block that come after a logical time, oldest first. */
export async function transactionsIn(
  ask: AskToncenter,
  account: AccountId,
  block: ShardBlock,
  afterLt: bigint,
): Promise<readonly TransactionRef[]> {
  const found: TransactionRef[] = [];
  for (;;) {
    const listed = await ask(transactionsAfter(account, block, found.at(-1)?.lt ?? afterLt));
    found.push(...listed);
    if (listed.length < listedMax) return found;
  }
}

/** The first of them: a block lists its transactions by account, then by logical time. */
function transactionsAfter(
  account: AccountId,
  block: ShardBlock,
  lt: bigint,
): ToncenterQuestion<readonly TransactionRef[]> {
  return {
    method: "getBlockTransactions",
    params: {
      ...nameOf(block),
      after_hash: Buffer.from(account).toString("base64"),
      after_lt: lt.toString(),
      count: listedMax,
    },
    read: (result) => {
      const { id, transactions } = readFields(result);
      assertSame(readShardBlock(id), block);
      return readList(transactions).flatMap((one): readonly TransactionRef[] => {
        const fields = readFields(one);
        const listed = readTonAddress(readText(fields["account"]))?.id;
        if (listed === undefined) throw new Malformed("no account");
        return Buffer.compare(listed, account) === 0
          ? [{ lt: readBigInt(fields["lt"]), hash: readHash(fields["hash"]) }]
          : [];
      });
    },
  };
}

function nameOf({ fileHash, rootHash, seqno, shard }: ShardBlock) {
  const base64 = (hash: string): string => Buffer.from(hash, "hex").toString("base64");
  return {
    workchain: basechain,
    // A signed number in this interface.
    shard: BigInt.asIntN(bits, shard).toString(),
    seqno,
    root_hash: base64(rootHash),
    file_hash: base64(fileHash),
  };
}

/** The block among those of several shards that can contain the account. */
function readBlockOf(account: AccountId, blocks: unknown): ShardBlock {
  const block = readList(blocks)
    .map(readShardBlock)
    .find(({ shard }) => contains(shard, account));
  if (block === undefined) throw new Malformed("no block of the account's shard");
  return block;
}

function readShardBlock(value: unknown): ShardBlock {
  const { file_hash, root_hash, seqno, shard, workchain } = readFields(value);
  const text = typeof shard === "number" ? String(shard) : readText(shard);
  if (workchain !== basechain || !/^-?\d{1,19}$/.test(text))
    throw new Malformed("no block of the basechain");
  return {
    shard: BigInt.asUintN(bits, BigInt(text)),
    seqno: readInteger(seqno),
    rootHash: readHash(root_hash),
    fileHash: readHash(file_hash),
  };
}

/** Whether the account's id begins with the bits of the shard. */
function contains(shard: bigint, account: AccountId): boolean {
  const id = Buffer.from(account).readBigUInt64BE();
  const end = shard & -shard;
  return shard !== 0n && ((shard ^ id) & ~(2n * end - 1n)) === 0n;
}

function assertSame(block: ShardBlock, asked: ShardBlock): void {
  if (!isSame(block, asked)) throw new Malformed(`block ${block.seqno} for ${asked.seqno}`);
}

function isSame(one: ShardBlock, other: ShardBlock): boolean {
  return one.seqno === other.seqno && one.shard === other.shard && one.rootHash === other.rootHash;
}
