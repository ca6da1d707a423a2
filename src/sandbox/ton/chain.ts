import { createHash } from "node:crypto";
import { Cell, loadTransaction, type Transaction } from "@ton/core";
import { present } from "../../platform/kernel/assert.ts";
import { maxBigInt } from "../../platform/kernel/bigint-min-max.ts";
import type { Entry } from "./journal.ts";
import { messagesIn, type Queued, queuedBy } from "./message-queue.ts";
import { globalId, masterchain, type Shard, shards } from "./network.ts";

export type BlockId = Shard & {
  readonly seqno: number;
  /** 32 bytes, derived from the content of the block; there is no tree of cells behind them. */
  readonly rootHash: Buffer;
  readonly fileHash: Buffer;
};

export type Block = {
  readonly id: BlockId;
  readonly prev: BlockId;
  /** The masterchain block that contains it or refers to it. */
  readonly mcSeqno: number;
  readonly now: number;
  readonly startLt: bigint;
  readonly endLt: bigint;
  readonly transactions: readonly Executed[];
  /** Of a masterchain block: the newest block of each shard. */
  readonly shards: readonly BlockId[];
};

/** A transaction in a block. */
export type Executed = {
  readonly cell: Cell;
  readonly transaction: Transaction;
  /** The account's raw address, `0:` and 64 hexadecimal digits. */
  readonly account: string;
  /** 64 hexadecimal digits, as every key of this module. */
  readonly hash: string;
  readonly block: BlockId;
  readonly mcSeqno: number;
  /** The hash of the transaction with which its trace began. */
  readonly traceId: string;
  /** The message that it processed, and those that it sent, exactly as they were serialized. */
  readonly inMessage: Cell | null;
  readonly outMessages: readonly Cell[];
};

/** The blocks, and what follows from them. */
export type Chain = {
  readonly append: (entry: Entry) => void;
  readonly newest: () => Block;
  readonly masterBlock: (seqno: number) => Block | null;
  readonly block: (shard: Shard, seqno: number) => Block | null;
  /** The blocks of a shard in order. */
  readonly blocksOf: (shard: Shard) => readonly Block[];
  /** The blocks that a masterchain block is the first to refer to, and itself. */
  readonly blocksIn: (mcSeqno: number) => readonly Block[];
  /** The state of an account after a masterchain block; null if it does not exist. */
  readonly stateAt: (account: string, mcSeqno: number) => string | null;
  readonly transactionsOf: (account: string) => readonly Executed[];
  readonly transactions: () => readonly Executed[];
  readonly transaction: (hash: string) => Executed | null;
  readonly trace: (traceId: string) => readonly Executed[];
  /** The transaction that processed a message, and the one that created it. */
  readonly receiverOf: (message: string) => Executed | null;
  readonly senderOf: (message: string) => Executed | null;
  readonly queue: () => ReadonlyMap<string, Queued>;
  readonly accounts: () => Iterable<string>;
  readonly ahead: () => number;
};

const ltStep = 1_000_000n;

/** Where the next block's logical time begins. */
export function nextStart(lt: bigint): bigint {
  return (lt / ltStep + 1n) * ltStep;
}

/** The logical time after a transaction: it and each of its messages have one of their own. */
export function ltAfter({ lt, outMessagesCount }: Transaction): bigint {
  return lt + BigInt(outMessagesCount) + 1n;
}

/** The chain that begins with the state of `zero`, entry number 0. */
export function createChain(zero: Entry): Chain {
  const zeroHash = hashOf("zerostate", zero.now, JSON.stringify(zero.states));
  const zeroId = (shard: Shard): BlockId => ({ ...shard, seqno: 0, ...hashesOf(zeroHash, shard) });
  const blocks = new Map<string, Block[]>();
  for (const shard of [masterchain, ...shards]) {
    const id = zeroId(shard);
    const common = { prev: id, mcSeqno: 0, now: zero.now, startLt: 0n, endLt: 0n };
    blocks.set(keyOf(shard), [{ id, ...common, transactions: [], shards: [] }]);
  }
  const inMaster: Block[][] = [[]];
  const states = new Map<string, { readonly mcSeqno: number; readonly state: string }[]>();
  const byAccount = new Map<string, Executed[]>();
  const byHash = new Map<string, Executed>();
  const traces = new Map<string, Executed[]>();
  const receivers = new Map<string, Executed>();
  const senders = new Map<string, Executed>();
  const all: Executed[] = [];
  const queue = new Map<string, Queued>();
  let ahead = 0;

  const blocksOf = (shard: Shard): Block[] => present(blocks.get(keyOf(shard)), "a shard's blocks");
  const newestOf = (shard: Shard): Block => present(blocksOf(shard).at(-1), "a shard's block");
  const setStates = (entry: Entry): void => {
    for (const [account, state] of Object.entries(entry.states))
      listIn(states, account).push({ mcSeqno: entry.seqno, state });
  };
  const record = (executed: Executed): void => {
    const { account, hash, inMessage, outMessages, traceId } = executed;
    all.push(executed);
    byHash.set(hash, executed);
    listIn(byAccount, account).push(executed);
    listIn(traces, traceId).push(executed);
    if (inMessage !== null) {
      receivers.set(hexHash(inMessage), executed);
      queue.delete(hexHash(inMessage));
    }
    for (const message of outMessages) senders.set(hexHash(message), executed);
    for (const queued of queuedBy(outMessages, traceId)) queue.set(queued.hash, queued);
  };
  const read = (boc: string, shard: Shard): Omit<Executed, "block" | "mcSeqno"> => {
    const cell = Cell.fromBase64(boc);
    const transaction = loadTransaction(cell.beginParse());
    const hash = hexHash(cell);
    const messages = messagesIn(cell);
    const { inMessage } = messages;
    const traceId =
      (inMessage === null ? undefined : queue.get(hexHash(inMessage))?.traceId) ?? hash;
    const account = `${shard.workchain}:${transaction.address.toString(16).padStart(64, "0")}`;
    return { cell, transaction, account, hash, traceId, ...messages };
  };
  const add = (
    shard: Shard,
    bocs: readonly string[],
    common: { readonly mcSeqno: number; readonly now: number; readonly startLt: bigint },
  ): void => {
    const prev = newestOf(shard).id;
    const found = bocs.map((boc) => read(boc, shard));
    const newestShards = shard === masterchain ? shards.map((one) => newestOf(one).id) : [];
    const content = [
      prev.rootHash.toString("hex"),
      common.now,
      common.startLt,
      ...found.map(({ hash }) => hash),
      ...newestShards.map(({ rootHash }) => rootHash.toString("hex")),
    ];
    const seqno = prev.seqno + 1;
    const id = { ...shard, seqno, ...hashesOf(hashOf(...content), shard) };
    const transactions = found.map((one) => ({ ...one, block: id, mcSeqno: common.mcSeqno }));
    const endLt = found.reduce(
      (end, { transaction }) => maxBigInt(end, ltAfter(transaction)),
      common.startLt + 1n,
    );
    const block = { id, prev, ...common, endLt, transactions, shards: newestShards };
    blocksOf(shard).push(block);
    listAt(inMaster, common.mcSeqno).push(block);
    for (const executed of transactions) record(executed);
  };

  setStates(zero);
  return {
    append: (entry) => {
      const { masterchain: own, now, rounds, seqno: mcSeqno } = entry;
      let end = newestOf(masterchain).endLt;
      for (const round of rounds) {
        const startLt = nextStart(end);
        for (const [place, shard] of shards.entries())
          add(shard, round[place] ?? [], { mcSeqno, now, startLt });
        end = shards.reduce((latest, shard) => maxBigInt(latest, newestOf(shard).endLt), end);
      }
      add(masterchain, own, { mcSeqno, now, startLt: nextStart(end) });
      setStates(entry);
      ahead = entry.ahead;
    },
    newest: () => newestOf(masterchain),
    masterBlock: (seqno) => blocksOf(masterchain)[seqno] ?? null,
    block: (shard, seqno) => blocks.get(keyOf(shard))?.[seqno] ?? null,
    blocksOf: (shard) => blocks.get(keyOf(shard)) ?? [],
    blocksIn: (mcSeqno) => inMaster[mcSeqno] ?? [],
    stateAt: (account, mcSeqno) =>
      states.get(account)?.findLast((version) => version.mcSeqno <= mcSeqno)?.state ?? null,
    transactionsOf: (account) => byAccount.get(account) ?? [],
    transactions: () => all,
    transaction: (hash) => byHash.get(hash) ?? null,
    trace: (traceId) => traces.get(traceId) ?? [],
    receiverOf: (message) => receivers.get(message) ?? null,
    senderOf: (message) => senders.get(message) ?? null,
    queue: () => queue,
    accounts: () => states.keys(),
    ahead: () => ahead,
  };
}

function hexHash(cell: Cell): string {
  return cell.hash().toString("hex");
}

function keyOf({ shard, workchain }: Shard): string {
  return `${workchain}:${shard}`;
}

function listIn<Item>(lists: Map<string, Item[]>, key: string): Item[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

function listAt<Item>(lists: Item[][], place: number): Item[] {
  const list = lists[place] ?? [];
  lists[place] = list;
  return list;
}

function hashOf(...content: readonly (string | number | bigint)[]): string {
  return createHash("sha256")
    .update([globalId, ...content].join(" "))
    .digest("hex");
}

function hashesOf(content: string, shard: Shard): Pick<BlockId, "rootHash" | "fileHash"> {
  const hash = (name: string): Buffer =>
    createHash("sha256")
      .update(`${name} ${keyOf(shard)} ${content}`)
      .digest();
  return { rootHash: hash("root"), fileHash: hash("file") };
}
