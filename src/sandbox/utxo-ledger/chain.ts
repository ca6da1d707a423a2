import { assert, present } from "../../platform/kernel/assert.ts";
import type {
  LedgerBlock,
  LedgerCoin,
  LedgerRules,
  LedgerTransaction,
  NextBlock,
} from "./rules.ts";

/** Blocks of all branches, and the unspent outputs of the best one. */
export type Chain = {
  readonly tip: () => LedgerBlock;
  /** Of the best chain; null above its tip. */
  readonly blockAt: (height: number) => LedgerBlock | null;
  /** Of any branch. */
  readonly find: (hash: string) => LedgerBlock | null;
  readonly isBest: (block: LedgerBlock) => boolean;
  /** The transaction and the block that last contained it, which a reorg may have dropped. */
  readonly findTransaction: (
    txid: string,
  ) => { readonly transaction: LedgerTransaction; readonly block: LedgerBlock } | null;
  readonly coinAt: (outpoint: string) => LedgerCoin | null;
  readonly coins: () => Iterable<readonly [outpoint: string, coin: LedgerCoin]>;
  /** The outputs that a block of the best chain spent, by outpoint. */
  readonly spentBy: (block: LedgerBlock) => ReadonlyMap<string, LedgerCoin>;
  readonly next: () => NextBlock;
  /** Number of blocks of all branches. */
  readonly blockCount: () => number;
};

/** Each change returns the transactions of the blocks that left the best chain, oldest block first. */
export type ChangingChain = Chain & {
  /** Adds a block whose parent is the tip. */
  readonly push: (header: string, transactions: readonly string[]) => void;
  readonly invalidate: (hash: string) => readonly LedgerTransaction[];
  readonly reconsider: (hash: string) => readonly LedgerTransaction[];
};

/** Headers whose times give the median (BIP-113). */
const medianSpan = 11;
/** OP_RETURN: nobody can spend such an output, so nodes do not keep it. */
const unspendable = /^6a/;

/** A chain of block 0. */
export function createChain(rules: LedgerRules): ChangingChain {
  const known = new Map<string, LedgerBlock>();
  const best: LedgerBlock[] = [];
  const coins = new Map<string, LedgerCoin>();
  const undo = new Map<string, ReadonlyMap<string, LedgerCoin>>();
  const places = new Map<string, string>();
  const invalid = new Set<string>();

  const tip = (): LedgerBlock => present(best.at(-1), "a tip");
  const isBest = (block: LedgerBlock): boolean => best[block.height] === block;

  const read = (header: string, raws: readonly string[], height: number): LedgerBlock => ({
    ...rules.readHeader(header),
    header,
    height,
    transactions: raws.map((raw) => present(rules.readTransaction(raw), "a transaction")),
  });

  /** Adds all outputs before any is spent, so that the order of a block's transactions does not matter. */
  const connect = (block: LedgerBlock): void => {
    const spent = new Map<string, LedgerCoin>();
    block.transactions.forEach(({ txid, outputs }, position) => {
      places.set(txid, block.hash);
      outputs.forEach((output, vout) => {
        if (unspendable.test(output.script)) return;
        coins.set(`${txid}:${vout}`, {
          ...output,
          height: block.height,
          isCoinbase: position === 0,
        });
      });
    });
    for (const outpoint of block.transactions.flatMap(({ spends }) => spends)) {
      spent.set(outpoint, present(coins.get(outpoint), `the coin ${outpoint}`));
      coins.delete(outpoint);
    }
    undo.set(block.hash, spent);
    best.push(block);
  };

  const disconnect = (): LedgerBlock => {
    const block = present(best.pop(), "a block");
    for (const [outpoint, coin] of present(undo.get(block.hash), "what it spent"))
      coins.set(outpoint, coin);
    for (const { txid, outputs } of block.transactions)
      for (const vout of outputs.keys()) coins.delete(`${txid}:${vout}`);
    return block;
  };

  /** Moves to the highest branch without an invalid block; of equal ones, to the branch of the tip or the oldest. */
  const activate = (): readonly LedgerTransaction[] => {
    const dead = new Set<string>();
    let goal: LedgerBlock | null = null;
    for (const block of known.values()) {
      if (invalid.has(block.hash) || dead.has(block.parentHash)) dead.add(block.hash);
      else if (goal === null || block.height > goal.height) goal = block;
      else if (block === best.at(-1) && block.height === goal.height) goal = block;
    }
    const branch: LedgerBlock[] = [];
    for (let block = present(goal, "block 0"); !isBest(block); ) {
      branch.unshift(block);
      block = present(known.get(block.parentHash), "its parent");
    }
    const forkHeight = present(goal, "block 0").height - branch.length;
    const dropped: LedgerBlock[] = [];
    while (tip().height > forkHeight) dropped.unshift(disconnect());
    for (const block of branch) connect(block);
    return dropped.flatMap(({ transactions }) => transactions.slice(1));
  };

  const genesis = read(rules.genesis.header, rules.genesis.transactions, 0);
  known.set(genesis.hash, genesis);
  best.push(genesis);

  const medianTimeAt = (height: number): number => {
    const times = best
      .slice(Math.max(0, height - medianSpan + 1), height + 1)
      .map(({ time }) => time)
      .toSorted((a, b) => a - b);
    return present(times[Math.floor(times.length / 2)], "a median time");
  };

  return {
    tip,
    blockAt: (height) => best[height] ?? null,
    find: (hash) => known.get(hash) ?? null,
    isBest,
    findTransaction: (txid) => {
      const block = known.get(places.get(txid) ?? "");
      const transaction = block?.transactions.find((candidate) => candidate.txid === txid);
      return block === undefined || transaction === undefined ? null : { transaction, block };
    },
    coinAt: (outpoint) => coins.get(outpoint) ?? null,
    coins: () => coins.entries(),
    spentBy: ({ hash }) => undo.get(hash) ?? new Map(),
    next: () => ({ height: best.length, medianTimeAt }),
    blockCount: () => known.size,
    push: (header, raws) => {
      const block = read(header, raws, best.length);
      assert(block.parentHash === tip().hash, "a block on top of the tip");
      known.set(block.hash, block);
      connect(block);
    },
    invalidate: (hash) => {
      invalid.add(hash);
      return activate();
    },
    reconsider: (hash) => {
      const related = (block: LedgerBlock): boolean => isAncestor(known, block, hash);
      for (const marked of [...invalid])
        if (related(present(known.get(marked), "a block"))) invalid.delete(marked);
      return activate();
    },
  };
}

/** Whether one of the two blocks is the other or descends from it. */
function isAncestor(
  known: ReadonlyMap<string, LedgerBlock>,
  block: LedgerBlock,
  hash: string,
): boolean {
  const descendsFrom = (from: LedgerBlock, ancestor: string): boolean => {
    for (let at: LedgerBlock | undefined = from; at !== undefined; at = known.get(at.parentHash))
      if (at.hash === ancestor) return true;
    return false;
  };
  const other = known.get(hash);
  return descendsFrom(block, hash) || (other !== undefined && descendsFrom(other, block.hash));
}
