import type { BlockRef } from "../port.ts";

/** What we hold of a chain, as far as a comparison with a node needs it. */
export type OurChain = {
  /** Height of our newest block; where we hold none, one below the first block to be read. */
  readonly height: number;
  /** Hash of our newest block; null where we hold none, so that any block may follow. */
  readonly hash: string | null;
  /** Hash of our block at the height of the node's tip, where that is below our newest; null where we hold none there. */
  readonly hashAtTheirTip: string | null;
};

/** What a node says of its best chain. */
export type TheirChain = {
  readonly tip: BlockRef;
  /** Their block right above our height; null when they have none, or when it went away between two questions. */
  readonly next: BlockRef | null;
};

export type Step =
  | { readonly kind: "append"; readonly block: BlockRef }
  /** Our newest block is not on their chain: it goes, then we look again. */
  | { readonly kind: "orphan" }
  /**
   * Nothing to do: we stand at their tip (`atTip`), they have not got as far as we have (`behind`), or two of their
   * answers do not fit together (`unclear`).
   */
  | { readonly kind: "idle"; readonly reason: "atTip" | "behind" | "unclear" };

/**
 * Decides the one next step towards a node's best chain. Only another block at a height that we hold orphans anything;
 * a node that merely has fewer blocks does not.
 */
export function nextStep(ours: OurChain, theirs: TheirChain): Step {
  if (theirs.tip.height > ours.height) {
    if (theirs.next === null) return { kind: "idle", reason: "unclear" };
    const follows = ours.hash === null || theirs.next.parentHash === ours.hash;
    return follows ? { kind: "append", block: theirs.next } : { kind: "orphan" };
  }
  const heldThere = theirs.tip.height === ours.height ? ours.hash : ours.hashAtTheirTip;
  if (heldThere !== null && heldThere !== theirs.tip.hash) return { kind: "orphan" };
  const isAtTip = theirs.tip.height === ours.height && heldThere !== null;
  return { kind: "idle", reason: isAtTip ? "atTip" : "behind" };
}
