import { type Executor, statement } from "../../platform/db/database.ts";

/** A transfer that a node showed in a block, as text. */
export type ShownTransfer = { readonly node: string; readonly content: string };

const find = statement<ShownTransfer>(
  "shown-transfer.find",
  "select node, content from shown_transfer where chain = $1 and block_hash = $2",
);

/** What nodes showed of the block before. */
export function readShown(
  db: Executor,
  chain: string,
  hash: string,
): Promise<readonly ShownTransfer[]> {
  return db.query(find, [chain, hash]);
}

const add = statement<never>(
  "shown-transfer.add",
  `insert into shown_transfer (chain, block_hash, node, content, height)
   select $1, $2, $3, content, $4::bigint from unnest($5::text[]) as content on conflict do nothing`,
);

/** Remembers what a node showed of the block. */
export async function addShown(
  db: Executor,
  chain: string,
  { height, hash }: { readonly height: number; readonly hash: string },
  node: string,
  contents: readonly string[],
): Promise<void> {
  if (contents.length > 0) await db.query(add, [chain, hash, node, height, contents]);
}

const prune = statement<never>(
  "shown-transfer.prune",
  `delete from shown_transfer
   where chain = $1 and height < (select height from chain_cursor where chain = $1) - $2::bigint`,
);

/** Forgets what was shown of blocks more than `keep` below the cursor. */
export async function pruneShown(db: Executor, chain: string, keep: number): Promise<void> {
  await db.query(prune, [chain, keep]);
}
