import { assert, present } from "../../platform/kernel/assert.ts";
import { type Block, type BlockContent, createBlock } from "./block.ts";
import { hash256, hex } from "./hash.ts";
import { type Script, scriptHash } from "./script.ts";
import {
  consumedBy,
  type Output,
  type OutputReference,
  producedBy,
  referenceKey,
  type Transaction,
} from "./transaction.ts";

/** Where an output was spent. */
export type Spending = {
  readonly block: Block;
  readonly transaction: Transaction;
  readonly inputIndex: number;
};

/** An output of the chain, spent or not. */
export type Entry = {
  readonly reference: OutputReference;
  readonly output: Output;
  /** Null for what was there before the first block. */
  readonly created: { readonly block: Block; readonly transactionIndex: number } | null;
  readonly spent: Spending | null;
};

/** The blocks of the chain and of its former branches, and all outputs of the chain. */
export type Chain = {
  /** Null before the first block. */
  readonly tip: () => Block | null;
  readonly blockAt: (height: number) => Block | null;
  /** Of any branch. */
  readonly find: (id: string) => Block | null;
  readonly isOnChain: (block: Block | null) => boolean;
  readonly entry: (reference: OutputReference) => Entry | null;
  readonly entries: () => Iterable<Entry>;
  /** The outputs of an address. */
  readonly entriesOf: (address: Uint8Array) => Iterable<Entry>;
  /** Of a datum in an output or a transaction. */
  readonly datum: (hash: string) => string | null;
  readonly script: (hash: string) => Script | null;
};

export type ChangingChain = Chain & {
  readonly push: (content: BlockContent) => Block;
  /** Takes the newest block from the chain. */
  readonly pop: () => Block;
};

/** A chain without blocks. */
export function createChain(
  genesis: readonly (readonly [OutputReference, Output])[],
): ChangingChain {
  const best: Block[] = [];
  const known = new Map<string, Block>();
  const outputs = new Map<string, Entry>();
  const byAddress = new Map<string, Set<string>>();
  const datums = new Map<string, string>();
  const scripts = new Map<string, Script>();

  const put = (entry: Entry): void => {
    const key = referenceKey(entry.reference);
    const { address, datum, script } = entry.output;
    outputs.set(key, entry);
    const keys = byAddress.get(hex(address)) ?? new Set<string>();
    byAddress.set(hex(address), keys.add(key));
    if (datum !== null) datums.set(hex(hash256(Buffer.from(datum, "hex"))), datum);
    if (script !== null) scripts.set(hex(scriptHash(script)), script);
  };
  const remove = ({ output, reference }: Entry): void => {
    outputs.delete(referenceKey(reference));
    byAddress.get(hex(output.address))?.delete(referenceKey(reference));
  };
  const entry = (reference: OutputReference): Entry | null =>
    outputs.get(referenceKey(reference)) ?? null;
  const spend = (reference: OutputReference, spent: Spending | null): void => {
    const found = present(entry(reference), "the output of an input");
    assert((found.spent === null) === (spent !== null), "an output is spent once");
    outputs.set(referenceKey(reference), { ...found, spent });
  };
  const apply = (block: Block): void => {
    block.transactions.forEach((transaction, transactionIndex) => {
      consumedBy(transaction).forEach((reference, inputIndex) => {
        spend(reference, { block, transaction, inputIndex });
      });
      for (const [reference, output] of producedBy(transaction))
        put({ reference, output, created: { block, transactionIndex }, spent: null });
      for (const datum of transaction.datums) datums.set(hex(hash256(datum)), hex(datum));
      for (const script of [...transaction.scripts, ...transaction.auxiliaryScripts])
        scripts.set(hex(scriptHash(script)), script);
    });
  };
  for (const [reference, output] of genesis) put({ reference, output, created: null, spent: null });

  return {
    tip: () => best.at(-1) ?? null,
    blockAt: (height) => best[height] ?? null,
    find: (id) => known.get(id) ?? null,
    isOnChain: (block) => block === null || best[block.height] === block,
    entry,
    entries: () => outputs.values(),
    entriesOf: (address) =>
      [...(byAddress.get(hex(address)) ?? [])].map((key) => present(outputs.get(key), "an output")),
    datum: (hash) => datums.get(hash) ?? null,
    script: (hash) => scripts.get(hash) ?? null,
    push: (content) => {
      const block = createBlock(best.at(-1) ?? null, content);
      apply(block);
      best.push(block);
      known.set(block.id, block);
      return block;
    },
    pop: () => {
      const block = present(best.pop(), "a block");
      for (const transaction of block.transactions.toReversed()) {
        for (const [reference] of producedBy(transaction))
          remove(present(entry(reference), "an output of the block"));
        for (const reference of consumedBy(transaction)) spend(reference, null);
      }
      return block;
    },
  };
}

/** Whether the entry existed unspent when the block was the newest. */
export function isUnspentAt({ created, spent }: Entry, block: Block | null): boolean {
  const height = block?.height ?? -1;
  if (created !== null && created.block.height > height) return false;
  return spent === null || spent.block.height > height;
}
