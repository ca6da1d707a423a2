import type { BlockRef } from "../port.ts";

/** Our chain, as far as the comparison with a node needs it. */
export type OurChain = {
  /** Height of our newest block; without one, one below the first block to read. */
  readonly height: number;
  /** Hash of our newest block; null without one, so that any block may follow. */
  readonly hash: string | null;
  /** Hash of our block at the height of the node's tip, if that is below our newest; null if we have none there. */
  readonly hashAtTheirTip: string | null;
};

/** A node's best chain. */
export type TheirChain = {
  readonly tip: BlockRef;
  /** Their block right above our height; null when there is none, or when it disappeared between two requests. */
  readonly next: BlockRef | null;
};

export type Step =
  | { readonly kind: "append"; readonly block: BlockRef }
  /** Our newest block is not on their chain: orphan it, then look again. */
  | { readonly kind: "orphan" }
  /**
   * Nothing to do: we are at their tip (`atTip`), they are behind us (`behind`), or two of their answers contradict each
   * other (`unclear`).
   */
  | { readonly kind: "idle"; readonly reason: "atTip" | "behind" | "unclear" };

/**
 * Decides the next step towards a node's best chain. Only another block at a height that we hold orphans anything; a node
 * that merely has fewer blocks does not.
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
