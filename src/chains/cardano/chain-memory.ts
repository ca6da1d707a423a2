import type { CardanoBlock } from "./block.ts";
import { isSamePoint, type Point, spellPoint } from "./point.ts";

/** A block that was read, and its parent; `origin` before the first block. */
export type ReadBlock = CardanoBlock & { readonly parent: Point | "origin" };

/**
 * What was read of a node's chain, as a help for finding blocks by their height, which the node's protocols cannot. Nothing here proves that a
 * block is still on the chain: the node is asked each time.
 */
export type ChainMemory = {
  /** Notes a block; those above it on another branch are forgotten. */
  readonly note: (block: ReadBlock) => void;
  readonly pointAt: (height: number) => Point | null;
  readonly heightOf: (point: Point) => number | null;
  readonly blockOf: (point: Point) => ReadBlock | null;
  /** Points at or below a height, the highest first, further and further apart. */
  readonly below: (height: number) => readonly Point[];
};

/** Twice the deepest reorg (2,160 blocks). */
const pointsMax = 4_320;
/** With their transactions: the follower reads a few blocks at once. */
const blocksMax = 12;
const sampleMax = 30;

export function createChainMemory(): ChainMemory {
  const points = new Map<number, Point>();
  const heights = new Map<string, number>();
  const blocks = new Map<string, ReadBlock>();

  const forget = (height: number): void => {
    const point = points.get(height);
    if (point === undefined) return;
    points.delete(height);
    heights.delete(spellPoint(point));
  };

  return {
    note: (block) => {
      const { height, point, parent } = block;
      const known = points.get(height);
      if (known !== undefined && !isSamePoint(known, point))
        for (const other of [...points.keys()]) if (other >= height) forget(other);
      const below = points.get(height - 1);
      if (parent !== "origin" && below !== undefined && !isSamePoint(below, parent))
        forget(height - 1);
      points.delete(height);
      points.set(height, point);
      heights.set(spellPoint(point), height);
      blocks.set(spellPoint(point), block);
      for (const oldest of points.keys()) {
        if (points.size <= pointsMax) break;
        forget(oldest);
      }
      for (const oldest of blocks.keys()) {
        if (blocks.size <= blocksMax) break;
        blocks.delete(oldest);
      }
    },
    pointAt: (height) => points.get(height) ?? null,
    heightOf: (point) => heights.get(spellPoint(point)) ?? null,
    blockOf: (point) => blocks.get(spellPoint(point)) ?? null,
    below: (height) => {
      const held = [...points.keys()].filter((one) => one <= height).toSorted((a, b) => b - a);
      const sample: Point[] = [];
      for (let at = 0, step = 1; at < held.length && sample.length < sampleMax; at += step) {
        const point = points.get(held[at] ?? -1);
        if (point !== undefined) sample.push(point);
        if (sample.length > 8) step *= 2;
      }
      return sample;
    },
  };
}
