import type { Executor } from "../../platform/db/database.ts";
import type { ChainAdapter } from "../chain-adapter.ts";
import { pruneBlocksBelow } from "./follower.store.ts";
import { pruneShown } from "./shown-transfer.store.ts";

/** Blocks kept on a final chain: enough to compare with a node that is behind. */
const keptOfFinalChains = 100;

/** Deletes a chain's blocks beyond twice the reorg limit, with what nodes showed of them, and returns their number. Their heights stay recorded as scanned. */
export async function pruneBlocks(
  db: Executor,
  { chain, reader }: Pick<ChainAdapter, "chain" | "reader">,
): Promise<number> {
  const { finality } = reader;
  const keep = finality.kind === "probable" ? finality.reorgLimit * 2 : keptOfFinalChains;
  await pruneShown(db, chain, keep);
  return await pruneBlocksBelow(db, chain, keep);
}
