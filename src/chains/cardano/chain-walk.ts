import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { readFields } from "../rpc/answer.ts";
import { RpcError } from "../rpc/node-error.ts";
import { readHash, readNumber } from "./answer.ts";
import { readBlock } from "./block.ts";
import type { CardanoLink } from "./cardano-node.ts";
import type { ReadBlock } from "./chain-memory.ts";
import type { ChainPlace } from "./chain-place.ts";
import type { Conversation } from "./ogmios-socket.ts";
import { type ChainTip, isSamePoint, type Point, readPoint, readTip } from "./point.ts";

/*
 * Finds blocks through the chain-sync protocol of Ogmios, which knows only "the block after a point". The tip is part of every answer, and
 * the next block is requested only below it: at the tip, the node would answer when there is one.
 */

type Place = Conversation<ChainPlace>;
type Found = { readonly at: Point | "origin" | null; readonly tip: ChainTip };

/** Ogmios: none of the points is on the chain. */
const intersectionNotFound = 1_000;
/** Blocks between a block and the known one below it that are read on the way. */
const walkMax = 300;
/** How often the index is asked for a block that is close enough. */
const guessesMax = 16;
/** Slots per block, where nothing else is known: 1 of 20 slots has a block. */
const usualSlots = 20;

/** The node's newest block. */
export async function findTip(link: CardanoLink): Promise<ReadBlock> {
  return await link.onChain(async (place) => {
    const { tip } = await search(place, ["origin"]);
    const known = link.memory.blockOf(tip.point);
    return known ?? (await walkTo(link, place, tip.height, tip));
  });
}

/** The block at a height of the node's chain; null above its tip. */
export async function blockAt(link: CardanoLink, height: number): Promise<ReadBlock | null> {
  return await link.onChain(async (place) => {
    const point = link.memory.pointAt(height);
    const { at, tip } = await search(place, [...(point === null ? [] : [point]), "origin"]);
    if (tip.height < height) return null;
    const known = point === null || at === "origin" ? null : link.memory.blockOf(point);
    return known ?? (await walkTo(link, place, height, tip));
  });
}

/** The block of that point if it is on the node's chain, else null. */
export async function blockOf(link: CardanoLink, point: Point): Promise<ReadBlock | null> {
  return await link.onChain(async (place) => {
    const { at, tip } = await search(place, [point]);
    if (at === null) return null;
    const known = link.memory.blockOf(point);
    if (known !== null) return known;
    const height = link.memory.heightOf(point) ?? (await heightAt(place, point, tip));
    const found = await walkTo(link, place, height, tip);
    return isSamePoint(found.point, point) ? found : null;
  });
}

/** The height of a point that is on the node's chain, else null. Reads at most the block above it. */
export async function heightOf(link: CardanoLink, point: Point): Promise<number | null> {
  const known = link.memory.heightOf(point);
  return await link.onChain(async (place) => {
    const { at, tip } = await search(place, [point]);
    return at === null ? null : (known ?? (await heightAt(place, point, tip)));
  });
}

/**
 * The ids of the transactions in the blocks above a point, up to the block `end`, without those from slot `before` on; null if they are not on one
 * chain.
 */
export async function txidsBetween(
  link: CardanoLink,
  from: Point | "origin",
  end: Point,
  before: number,
): Promise<ReadonlySet<string> | null> {
  return await link.onChain(async (place) => {
    const { at, tip } = await search(place, [from]);
    if (at === null || tip.point.slot < end.slot) return null;
    const txids = new Set<string>();
    for (;;) {
      const block = await step(place);
      if (block === null || block.point.slot > end.slot) return null;
      if (block.point.slot >= before)
        return (await search(place, [end])).at === null ? null : txids;
      for (const { txid } of block.transactions) txids.add(txid);
      if (isSamePoint(block.point, end)) return txids;
    }
  });
}

/** Walks up to a height at or below the tip, from the nearest point that is known below it, or that the index names. */
async function walkTo(
  link: CardanoLink,
  place: Place,
  height: number,
  tip: ChainTip,
): Promise<ReadBlock> {
  const { at } = await search(place, [...link.memory.below(height - 1), "origin"]);
  const base = at === null || at === "origin" ? null : link.memory.heightOf(at);
  const isNear = base === null ? height <= walkMax : height - base <= walkMax;
  if (!isNear) await approach(link, place, height, tip);
  for (;;) {
    const block = await step(place);
    if (block === null) throw new Unavailable("node", "its chain changed while it was read");
    link.memory.note(block);
    if (block.height === height) return block;
    if (block.height > height)
      throw new Unavailable("node", `there is no block at height ${height}`);
  }
}

/**
 * Puts the place at most `walkMax` blocks below the height. Kupo knows points by their slot, and the number of slots between two blocks
 * varies, so the distance is measured and corrected.
 */
async function approach(
  link: CardanoLink,
  place: Place,
  height: number,
  tip: ChainTip,
): Promise<void> {
  let slots = usualSlots;
  let from = { slot: tip.point.slot, height: tip.height };
  for (let guess = 0; guess < guessesMax; guess += 1) {
    const below = walkMax / 3;
    const slot = Math.max(0, Math.floor(from.slot - slots * (from.height - height + below)));
    const point = await checkpointAt(link, slot);
    const { at } = await search(place, point === null ? ["origin"] : [point, "origin"]);
    if (at === "origin" || point === null) {
      if (height <= walkMax) return;
      throw new Unavailable("kupo", "it is on another branch than its node, or lacks blocks");
    }
    const reached = await heightAt(place, point, tip);
    await search(place, [point]);
    if (reached < height && height - reached <= walkMax) return;
    if (reached !== tip.height)
      slots = Math.max(0.05, (tip.point.slot - point.slot) / (tip.height - reached));
    from = { slot: point.slot, height: reached };
  }
  throw new Unavailable("kupo", `it names no block near height ${height}`);
}

/** The newest block at or before a slot that Kupo knows; null if it knows none. */
export async function checkpointAt(link: CardanoLink, slot: number): Promise<Point | null> {
  return await link.kupo(`/checkpoints/${slot}`, (document) => {
    if (document === null) return null;
    const fields = readFields(document);
    return { slot: readNumber(fields["slot_no"]), id: readHash(fields["header_hash"]) };
  });
}

/** The height of the point where the place is, by the block above it. */
async function heightAt(place: Place, point: Point, tip: ChainTip): Promise<number> {
  if (isSamePoint(point, tip.point)) return tip.height;
  const next = await step(place);
  if (next === null) throw new Unavailable("node", "its chain changed while it was read");
  return next.height - 1;
}

/** Moves the place to the first of these points that is on the chain; null leaves it where it was. */
async function search(place: Place, points: readonly (Point | "origin")[]): Promise<Found> {
  const { ask, memory } = place;
  try {
    const answer = readFields(await ask("findIntersection", { points }));
    const found = answer["intersection"];
    const at = found === "origin" ? found : readPoint(found);
    memory.at = at;
    memory.mustConfirm = true;
    return { at, tip: readTip(answer["tip"]) };
  } catch (error) {
    if (!(error instanceof RpcError) || error.code !== intersectionNotFound) throw error;
    return { at: null, tip: readTip(readFields(error.data)["tip"]) };
  }
}

/** The block after the place, which moves there; null when the chain has changed under it. */
async function step({ ask, memory }: Place): Promise<ReadBlock | null> {
  for (;;) {
    const answer = readFields(await ask("nextBlock"));
    if (answer["direction"] === "backward") {
      const point = answer["point"] === "origin" ? "origin" : readPoint(answer["point"]);
      const isExpected = memory.mustConfirm && isSamePlace(point, memory.at);
      memory.mustConfirm = false;
      if (isExpected) continue;
      memory.at = point;
      return null;
    }
    const parent = memory.at;
    const block = readBlock(answer["block"]);
    memory.at = block.point;
    memory.mustConfirm = false;
    const isNext = parent === "origin" || (parent !== null && block.ancestor === parent.id);
    return isNext ? { ...block, parent } : null;
  }
}

function isSamePlace(one: Point | "origin", other: Point | "origin" | null): boolean {
  if (one === "origin" || other === "origin" || other === null) return one === other;
  return isSamePoint(one, other);
}
