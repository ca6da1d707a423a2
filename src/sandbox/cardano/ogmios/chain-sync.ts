import type { JsonObject } from "../../../platform/kernel/json.ts";
import type { Block } from "../block.ts";
import type { Ledger } from "../ledger.ts";
import { printBlock } from "../print-block.ts";
import type { PrintableObject } from "../print-json.ts";
import { printPoint, printTip } from "../print-values.ts";
import { code, Refusal } from "../refusal.ts";
import { type Point, readPoints } from "./read-params.ts";

/** Where a connection is on the chain. */
export type ChainSync = {
  /** Moves to the first of the points that is on the chain. Throws `Refusal`. */
  readonly findIntersection: (params: JsonObject) => PrintableObject;
  /** The next step from there: a block, or a way back; null at the tip. */
  readonly next: () => PrintableObject | null;
};

export function createChainSync(ledger: Ledger): ChainSync {
  /** The newest block that the client has; null is the beginning. */
  let at: Block | null = null;
  /** The first answer says where the client is, as in the node's protocol. */
  let isPlaced = false;
  const tip = () => printTip(ledger.tip());
  const backward = (): PrintableObject => {
    isPlaced = true;
    return { direction: "backward", point: printPoint(at), tip: tip() };
  };
  return {
    findIntersection: ({ points }) => {
      for (const point of readPoints(points)) {
        const block = blockAt(ledger, point);
        if (block === undefined) continue;
        at = block;
        isPlaced = false;
        return { intersection: printPoint(at), tip: tip() };
      }
      throw new Refusal(code.intersectionNotFound, "No intersection found.", { tip: tip() });
    },
    next: () => {
      if (!isPlaced) return backward();
      if (!ledger.isOnChain(at)) {
        while (!ledger.isOnChain(at)) at = at?.ancestor ?? null;
        return backward();
      }
      const block = ledger.blockAt(at === null ? 0 : at.height + 1);
      if (block === null) return null;
      at = block;
      return { direction: "forward", block: printBlock(block), tip: tip() };
    },
  };
}

/** The block of a point on the chain, null for the beginning; undefined for a point that is not on it. */
export function blockAt(ledger: Ledger, point: Point): Block | null | undefined {
  if (point === "origin") return null;
  const block = ledger.find(point.id.toLowerCase());
  return block !== null && block.slot === point.slot && ledger.isOnChain(block) ? block : undefined;
}
