import type { BlockRef } from "../port.ts";
import type { InternalTransfer } from "./internal-transfers.ts";
import type { TraceMethod } from "./trace-questions.ts";

/** So often, late traces of the same block, or of the same transaction alone, are asked for again before something else is tried. */
export const lateMax = 2;

/** A block whose traces took too long or were too large, for the next attempt to read it. */
export type HeavyBlock = {
  readonly way: TraceMethod;
  /** How often the traces of the whole block were late. */
  readonly count: number;
  /** Moves of transactions that were traced alone. */
  readonly moves: Map<string, readonly InternalTransfer[]>;
  /** How often the traces of each transaction alone were late. */
  readonly counts: Map<string, number>;
};

export type HeavyBlocks = {
  /** The block, if it was asked for in this way and is to be traced one transaction at a time. */
  readonly find: (block: BlockRef, way: TraceMethod) => HeavyBlock | null;
  /** Counts `times` more late answers. */
  readonly note: (block: BlockRef, way: TraceMethod, times: number) => HeavyBlock;
  readonly forget: (block: BlockRef) => void;
};

/** How many blocks are remembered; few are read at a time. */
const blocksMax = 64;

/** Remembers heavy blocks until they are read. */
export function createHeavyBlocks(): HeavyBlocks {
  const blocks = new Map<string, HeavyBlock>();
  return {
    find: ({ hash }, way) => {
      const known = blocks.get(hash);
      return known?.way === way && known.count >= lateMax ? known : null;
    },
    note: ({ hash }, way, times) => {
      const known = blocks.get(hash);
      const noted =
        known?.way === way
          ? { ...known, count: known.count + times }
          : { way, count: times, moves: new Map(), counts: new Map() };
      blocks.delete(hash);
      blocks.set(hash, noted);
      for (const oldest of [...blocks.keys()].slice(0, -blocksMax)) blocks.delete(oldest);
      return noted;
    },
    forget: ({ hash }) => {
      blocks.delete(hash);
    },
  };
}
