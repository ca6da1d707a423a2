import type { CardanoLink } from "./cardano-node.ts";
import { blockOf, checkpointAt, txidsBetween } from "./chain-walk.ts";
import { outputsOf } from "./kupo-matches.ts";
import { parsePoint } from "./point.ts";

/** For how long before its end a transaction of ours may have been valid at most, in slots of a second, and some more. */
const searchedSlots = 2 * 7_200;

/**
 * See `ChainWriter.isMissingUpTo`. Kupo alone proves nothing, since it may leave out what was spent again (`--prune-utxo`): the blocks in which the
 * transaction was valid are read.
 */
export async function isMissingUpTo(
  link: CardanoLink,
  txid: string,
  { hash, height }: { readonly height: number; readonly hash: string },
): Promise<boolean> {
  const point = parsePoint(hash);
  const block = point === null ? null : await blockOf(link, point);
  if (block?.height !== height) return false;
  const outputs = await outputsOf(link, txid);
  if (outputs.some(({ created }) => created.slot <= block.point.slot)) return false;
  // The block is the first one after the end; the chain may have paused before it.
  const { parent } = block;
  if (parent === "origin") return true;
  const from = await checkpointAt(link, Math.max(0, parent.slot - searchedSlots));
  const txids = await txidsBetween(link, from ?? "origin", block.point);
  return txids !== null && !txids.has(txid);
}
