/** Where a follower stands. `hash` is null where nothing is held: the block at `height + 1` is the first to be read. */
export type Cursor = { readonly height: number; readonly hash: string | null };

/** The right to move a cursor: lost as soon as another follower takes the chain over. */
export type Fence = { readonly chain: string; readonly fence: string };
