import type { CardanoNetworkId } from "../../currencies/cardano-address.ts";
import type { Draft } from "../paying-port.ts";
import type { CardanoLink } from "./cardano-node.ts";
import { blockOf, checkpointAt, txidsBetween } from "./chain-walk.ts";
import { readBody } from "./draft-body.ts";
import { validSeconds } from "./draft-spend.ts";
import { outputsOf } from "./kupo-matches.ts";
import { parsePoint } from "./point.ts";

/** For how long before its end a transaction of ours may have been valid at most, in slots of a second, and some more. */
const searchedSlots = 2 * validSeconds;

/**
 * See `ChainWriter.isMissingUpTo`. Kupo alone proves nothing, since it may leave out what was spent again (`--prune-utxo`): the blocks in which the
 * transaction was valid are read.
 */
export async function isMissingUpTo(
  link: CardanoLink,
  network: CardanoNetworkId,
  txid: string,
  { body }: Pick<Draft, "body">,
  { hash, height }: { readonly height: number; readonly hash: string },
): Promise<boolean> {
  const point = parsePoint(hash);
  const block = point === null ? null : await blockOf(link, point);
  if (block?.height !== height) return false;
  const outputs = await outputsOf(link, txid);
  if (outputs.some(({ created }) => created.slot <= block.point.slot)) return false;
  const { ttl } = readBody(network, body);
  const from = await checkpointAt(link, Math.max(0, ttl - searchedSlots));
  const txids = await txidsBetween(link, from ?? "origin", block.point, ttl);
  return txids !== null && !txids.has(txid);
}
