import { type Executor, statement } from "../../platform/db/database.ts";

const holdTip = statement<{ readonly height: string | null }>(
  "spend-block.hold-tip",
  "select height from chain_cursor where chain = $1 for share",
);

/**
 * The height up to which the chain was read; no block is appended or orphaned before the transaction ends. Null before the
 * first block.
 */
export async function lockTipHeight(tx: Executor, chain: string): Promise<number | null> {
  const [row] = await tx.query(holdTip, [chain]);
  return row === undefined || row.height === null ? null : Number(row.height);
}

const findBest = statement<{ readonly hash: string | null; readonly lowest: string | null }>(
  "spend-block.find-best",
  `select
     (select hash from chain_block where chain = $1 and height = $2 and orphaned_at is null) as hash,
     (select min(height) from chain_block where chain = $1 and orphaned_at is null) as lowest`,
);

/**
 * Whether the block belongs to the best chain that we have read: it is the stored one at its height, or so deep that none is
 * stored there any more.
 */
export async function isBestBlock(
  tx: Executor,
  chain: string,
  block: { readonly height: number; readonly hash: string },
  tipHeight: number,
): Promise<boolean> {
  if (block.height > tipHeight) return false;
  const [row] = await tx.query(findBest, [chain, block.height]);
  if (row === undefined || row.lowest === null) return false;
  return row.hash === null ? Number(row.lowest) > block.height : row.hash === block.hash;
}
