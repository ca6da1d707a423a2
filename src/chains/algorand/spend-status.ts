import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { Draft, SpendStatus } from "../paying-port.ts";
import type { BlockRef } from "../port.ts";
import type { AskAlgod } from "./algod-node.ts";
import { receiptOf } from "./block-content.ts";
import type { Blocks } from "./blocks.ts";
import { newestRound, transactionWithId } from "./questions.ts";
import { validityRounds } from "./terms.ts";

/** For how many rounds a node remembers the transactions of its blocks (`MaxTxnLife`). */
const rememberedRounds = 1_000;

/** The status of one of our transactions. Nothing can conflict with it, since accounts number no transactions. */
export async function readSpendStatus(
  ask: AskAlgod,
  chain: string,
  blocks: Blocks,
  txid: string,
  { validity }: Draft,
): Promise<SpendStatus> {
  const found = await ask(transactionWithId(txid));
  if (found.kind === "included") return await mined(ask, chain, blocks, txid, found.round);
  if (found.kind === "pending" || validity?.kind !== "height") return { kind: found.kind };
  const round = await searchForgotten(ask, blocks, txid, validity.last);
  return round === null ? { kind: "unknown" } : await mined(ask, chain, blocks, txid, round);
}

async function mined(
  ask: AskAlgod,
  chain: string,
  blocks: Blocks,
  txid: string,
  round: number,
): Promise<SpendStatus> {
  const block = await blocks.at(ask, round);
  const transaction = block?.transactions.find((one) => one.txid === txid);
  if (block === null || transaction === undefined)
    throw new Unavailable(chain, `the node has ${txid} but not its block`);
  return { kind: "mined", block: block.header, ...receiptOf(transaction) };
}

/**
 * The round of a transaction's block among those in which it was valid and that the node may have forgotten by now; null if none contains
 * it.
 */
async function searchForgotten(
  ask: AskAlgod,
  blocks: Blocks,
  txid: string,
  last: number,
): Promise<number | null> {
  const newest = await ask(newestRound);
  const forgottenTo = Math.min(last, newest - rememberedRounds);
  for (let round = Math.max(0, last - validityRounds); round <= forgottenTo; round += 1) {
    const block = await blocks.at(ask, round);
    if (block?.transactions.some((one) => one.txid === txid) === true) return round;
  }
  return null;
}

/**
 * See `ChainWriter.isMissingUpTo`. False if the node has not reached the block; rejects with `NodeFault` if it forgot the transactions of the blocks
 * in which this one was valid, and has these blocks no more.
 */
export async function isMissingUpTo(
  ask: AskAlgod,
  blocks: Blocks,
  txid: string,
  { validity }: Pick<Draft, "validity">,
  { height, hash }: Pick<BlockRef, "height" | "hash">,
): Promise<boolean> {
  if (validity?.kind !== "height") return false;
  const newest = await ask(newestRound);
  if (height > newest) return false;
  const block = await blocks.at(ask, height);
  if (block?.header.hash !== hash) return false;
  const found = await ask(transactionWithId(txid));
  if (found.kind === "included") return found.round > height;
  const round = await searchForgotten(ask, blocks, txid, validity.last);
  return round === null || round > height;
}
