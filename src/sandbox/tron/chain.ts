import { assert, present } from "../../platform/kernel/assert.ts";
import { type Block, createBlock, type Executed } from "./block.ts";
import type { Entry } from "./journal.ts";
import { initialSettings, type Settings } from "./parameters.ts";
import type { Past } from "./process.ts";
import { applyChanges, emptyState, type State } from "./state.ts";

/** A block is solid once this many blocks follow it: no fork can undo it. */
const solidDepth = 19;
const referenceRange = 65_536;

/** The blocks of a ledger, and its states since the solid block. */
export type Chain = {
  readonly head: () => Block;
  readonly solid: () => Block;
  readonly state: (of: "head" | "solid") => State;
  readonly settings: () => Settings;
  /** How far the chain's clock is ahead of the real one, in milliseconds. */
  readonly aheadMs: () => number;
  /** How many times blocks were dropped. */
  readonly forks: () => number;
  readonly blockAt: (number: number) => Block | null;
  readonly find: (txid: string) => { readonly block: Block; readonly executed: Executed } | null;
  readonly past: Past;
  /** Applies what happened. Returns the block of a block entry. */
  readonly apply: (entry: Entry) => void;
};

export function createChain(): Chain {
  const blocks: Block[] = [];
  const places = new Map<string, number>();
  const states = new Map<number, State>();
  let settings = initialSettings;
  let aheadMs = 0;
  let forks = 0;
  let solidNumber = 0;

  const head = (): Block => present(blocks.at(-1), "a head block");
  const stateAt = (number: number): State => present(states.get(number), "a state");

  const push = (entry: Extract<Entry, { readonly kind: "block" }>): void => {
    const parent = blocks.at(-1) ?? null;
    const before = parent === null ? emptyState : stateAt(parent.number);
    const { timestamp, witness, transactions, changes } = entry;
    const block = createBlock({ parent, timestamp, witness, transactions });
    blocks.push(block);
    states.set(block.number, changes === null ? before : applyChanges(before, changes));
    for (const { transaction } of transactions) places.set(transaction.txid, block.number);
    const solid = Math.max(solidNumber, block.number - solidDepth);
    for (let number = solidNumber; number < solid; number += 1) states.delete(number);
    solidNumber = solid;
  };
  const drop = (depth: number): void => {
    assert(depth <= head().number - solidNumber, "only blocks above the solid one are dropped");
    for (const { number, transactions } of blocks.splice(blocks.length - depth)) {
      states.delete(number);
      for (const { transaction } of transactions) places.delete(transaction.txid);
    }
    forks += 1;
  };
  const blockAt = (number: number): Block | null => blocks[number] ?? null;
  return {
    head,
    solid: () => present(blockAt(solidNumber), "the solid block"),
    state: (of) => stateAt(of === "head" ? head().number : solidNumber),
    settings: () => settings,
    aheadMs: () => aheadMs,
    forks: () => forks,
    blockAt,
    find: (txid) => {
      const block = blockAt(places.get(txid) ?? -1);
      const executed = block?.transactions.find(({ transaction }) => transaction.txid === txid);
      return block === null || executed === undefined ? null : { block, executed };
    },
    past: {
      referenceHash: (refBlockBytes) => {
        if (!/^[0-9a-f]{4}$/.test(refBlockBytes)) return null;
        const { number } = head();
        const back = (number - Number.parseInt(refBlockBytes, 16)) & (referenceRange - 1);
        return blockAt(number - back)?.id.slice(16, 32) ?? null;
      },
      isIncluded: (txid) => places.has(txid),
    },
    apply: (entry) => {
      switch (entry.kind) {
        case "block":
          push(entry);
          break;
        case "drop":
          drop(entry.depth);
          break;
        case "settings":
          settings = entry.settings;
          break;
        case "clock":
          aheadMs = entry.aheadMs;
          break;
      }
    },
  };
}
