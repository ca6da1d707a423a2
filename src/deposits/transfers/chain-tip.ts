/** How far a chain has been read. */
export type ChainTip = {
  /** Of the newest block. */
  readonly height: number;
  /** Of the newest block that the chain's network has locked: it and those below count as settled. Null where there is none. */
  readonly lockedHeight: number | null;
};

/** Reads a chain's stored tip; empty before its first block. */
export function chainTipOf(row: {
  readonly height: string | null;
  readonly locked_height: string | null;
}): readonly ChainTip[] {
  const { height, locked_height: locked } = row;
  if (height === null) return [];
  return [{ height: Number(height), lockedHeight: locked === null ? null : Number(locked) }];
}

/** Whether the network has locked the block at that height. */
export function isLockedAt(
  block: { readonly height: number } | null,
  lockedHeight: number | null,
): boolean {
  return block !== null && lockedHeight !== null && block.height <= lockedHeight;
}
