import { readTipHeight } from "./block.store.ts";
import type { SpendContext } from "./spend-context.ts";

/** Has the writer consult only nodes that know every block that we have read, and so our own transactions in them. */
export async function excludeNodesBehind({
  db,
  chain,
  writer,
}: Pick<SpendContext, "db" | "chain" | "writer">): Promise<void> {
  const exclude = writer.account?.excludeBehind;
  if (exclude === undefined) return;
  const height = await readTipHeight(db, chain);
  if (height !== null) exclude(height);
}
