/** A follower's position. `hash` is null if no block is held: `height + 1` is the first block to read. */
export type Cursor = { readonly height: number; readonly hash: string | null };

/** The right to move a cursor; invalid as soon as another follower takes over. */
export type Fence = { readonly chain: string; readonly fence: string };
