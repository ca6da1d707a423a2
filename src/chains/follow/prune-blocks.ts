import type { Executor } from "../../platform/db/database.ts";
import type { ChainAdapter } from "../chain-adapter.ts";
import { pruneBlocksBelow } from "./follower.store.ts";

/** Blocks kept on a chain without re-orgs: enough to compare with a node that is behind. */
const keptOfFinalChains = 100;

/**
 * Forgets blocks of a chain that no re-org within the limit can reach, twice over; returns how many. That their heights
 * were scanned stays on record.
 */
export async function pruneBlocks(
  db: Executor,
  { chain, reader }: Pick<ChainAdapter, "chain" | "reader">,
): Promise<number> {
  const { finality } = reader;
  const keep = finality.kind === "probable" ? finality.reorgLimit * 2 : keptOfFinalChains;
  return pruneBlocksBelow(db, chain, keep);
}
