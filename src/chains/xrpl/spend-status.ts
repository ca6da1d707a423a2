import { present } from "../../platform/kernel/assert.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { Draft, SpendStatus } from "../paying-port.ts";
import type { BlockRef } from "../port.ts";
import { NodeError } from "../rpc/node-error.ts";
import { validityLedgers } from "./draft-payment.ts";
import { keepsLedgers } from "./history.ts";
import {
  accountAt,
  accountIn,
  type FoundTransaction,
  headerAt,
  headerWithHash,
  ledgerWithHash,
  serverState,
  transactionWithId,
  validatedHeader,
} from "./questions.ts";
import type { AskRippled, RippledNode } from "./rippled-node.ts";

/** The status of one of our transactions; nodes also remember transactions that have expired. */
export async function readSpendStatus(
  node: RippledNode,
  txid: string,
  draft: Draft,
  signal: AbortSignal,
): Promise<SpendStatus> {
  const [account = "", sequenceText = ""] = present(draft.claims[0], "a claim").split("#");
  const sequence = Number(sequenceText);
  return await node.consult(async (ask) => {
    const tip = await ask(validatedHeader);
    const found = await ask(transactionWithId(txid));
    if (found?.kind === "validated") return await mined(ask, node.chain, found);
    const root = await ask(accountIn("validated", account));
    if (root !== null && root.sequence > sequence) {
      // Asked again: it may have been validated in between.
      const again = await ask(transactionWithId(txid));
      return again?.kind === "validated"
        ? await mined(ask, node.chain, again)
        : await conflicted(ask, account, sequence, tip);
    }
    const hasEnded = draft.validity?.kind === "height" && tip.height >= draft.validity.last;
    return { kind: found === null || hasEnded ? "unknown" : "pending" };
  }, signal);
}

async function mined(
  ask: AskRippled,
  chain: string,
  { executed, height, ledgerHash }: Extract<FoundTransaction, { readonly kind: "validated" }>,
): Promise<SpendStatus> {
  const block = await ask(ledgerHash === null ? headerAt(height) : headerWithHash(ledgerHash));
  if (block === null)
    throw new Unavailable(chain, `the node has ${executed.txid} but not its ledger`);
  const { feeUnits, hasSucceeded, txid } = executed;
  return { kind: "mined", block, txid, hasSucceeded, feeUnits };
}

/** Ledgers in which the use of a sequence is searched: more than any transaction of ours is valid in. */
const searchedLedgers = 2 * validityLedgers;

/** Names the transaction that used the sequence, if the node still has the states of those ledgers. */
async function conflicted(
  ask: AskRippled,
  account: string,
  sequence: number,
  tip: BlockRef,
): Promise<SpendStatus> {
  let beyond = tip.height;
  let before = Math.max(0, tip.height - searchedLedgers);
  while (beyond - before > 1) {
    const middle = Math.floor((beyond + before) / 2);
    if (await isUsedAt(ask, account, sequence, middle)) beyond = middle;
    else before = middle;
  }
  const header = await ask(headerAt(beyond));
  const ledger = header === null ? null : await ask(ledgerWithHash(header.hash));
  const by = ledger?.executed.find((one) => one.account === account && one.sequence === sequence);
  return by === undefined || header === null
    ? { kind: "conflicted", by: null, block: null }
    : { kind: "conflicted", by: by.txid, block: { height: header.height, hash: header.hash } };
}

/** Whether the sequence was used up to that ledger; false if the node lacks its state. */
async function isUsedAt(
  ask: AskRippled,
  account: string,
  sequence: number,
  height: number,
): Promise<boolean> {
  const header = await ask(headerAt(height));
  if (header === null) return false;
  try {
    const root = await ask(accountAt(header.hash, account));
    return root !== null && root !== "unknown" && root.sequence > sequence;
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    return false;
  }
}

/**
 * See `ChainWriter.isMissingUpTo`. False if the node has not reached the ledger, or its history lacks one of those in which the transaction was
 * valid.
 */
export async function isMissingUpTo(
  node: RippledNode,
  txid: string,
  { validity }: Pick<Draft, "validity">,
  { hash, height }: Pick<BlockRef, "height" | "hash">,
  signal: AbortSignal,
): Promise<boolean> {
  if (validity?.kind !== "height") return false;
  const first = Math.max(1, validity.last - searchedLedgers);
  return await node.consult(async (ask) => {
    const block = await ask(headerAt(height));
    if (block?.hash !== hash) return false;
    const { completeLedgers } = await ask(serverState);
    if (!keepsLedgers(completeLedgers, first, Math.min(validity.last, height))) return false;
    const found = await ask(transactionWithId(txid));
    return found?.kind !== "validated" || found.height > height;
  }, signal);
}
