import { type Fields, Malformed, readFields } from "../rpc/answer.ts";
import { readHash, readNumber } from "./answer.ts";

/**
 * A block as the network's protocols name it. Nodes find a block by its slot and id together, so both are what the port calls the hash of a
 * block: `slot.id`, as Kupo and cardano-node spell points.
 */
export type Point = { readonly slot: number; readonly id: string };

/** A node's newest block. */
export type ChainTip = { readonly point: Point; readonly height: number };

export function spellPoint({ slot, id }: Point): string {
  return `${slot}.${id}`;
}

/** Null for anything that names no block. */
export function parsePoint(text: string): Point | null {
  const [, slot, id] = /^(\d{1,15})\.([0-9a-f]{64})$/.exec(text) ?? [];
  return slot === undefined || id === undefined ? null : { slot: Number(slot), id };
}

export function isSamePoint(one: Point, other: Point): boolean {
  return one.slot === other.slot && one.id === other.id;
}

export function readPoint(value: unknown): Point {
  const { slot, id } = readFields(value) as Fields & { slot?: unknown; id?: unknown };
  return { slot: readNumber(slot), id: readHash(id) };
}

/** Throws `Malformed` for a chain without any block, which nothing can be read from. */
export function readTip(value: unknown): ChainTip {
  if (value === "origin") throw new Malformed("a chain without blocks");
  return { point: readPoint(value), height: readNumber(readFields(value)["height"]) };
}
