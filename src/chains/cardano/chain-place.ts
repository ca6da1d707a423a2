import type { Point } from "./point.ts";

/** Where on the chain a connection to Ogmios is: its next block is the one after this point. */
export type ChainPlace = {
  /** Null before the first search. */
  at: Point | "origin" | null;
  /** The node first confirms a point that was searched, as a step backward. */
  mustConfirm: boolean;
};

export function newPlace(): ChainPlace {
  return { at: null, mustConfirm: false };
}
