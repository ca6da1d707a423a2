import { present } from "../../platform/kernel/assert.ts";
import { type Instant, microsPerSecond } from "../../platform/kernel/clock.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { Draft, SpendStatus } from "../paying-port.ts";
import type { BlockRef } from "../port.ts";
import { validitySeconds } from "./draft-payment.ts";
import { claimsOf, ownIdOf, receiptOf } from "./ledger-content.ts";
import type { Ledgers } from "./ledgers.ts";
import { keptLedgers, transactionWithId } from "./questions.ts";
import type { AskStellar } from "./stellar-node.ts";
import { isSequenceUsed } from "./transaction-status.ts";

/** The status of one of our transactions. Nodes do not show what waits for a ledger, so it is unknown until one has it. */
export async function readSpendStatus(
  ask: AskStellar,
  chain: string,
  ledgers: Ledgers,
  txid: string,
  draft: Draft,
): Promise<SpendStatus> {
  const found = await ask(transactionWithId(txid));
  if (found.height !== null) return await mined(ask, chain, ledgers, txid, found.height);
  if (!(await isSequenceUsed(ask, draft.claims))) return { kind: "unknown" };
  // Asked again: its ledger may have closed in between.
  const again = await ask(transactionWithId(txid));
  if (again.height !== null) return await mined(ask, chain, ledgers, txid, again.height);
  // A node forgets transactions with their ledgers: it must have all of those that could contain this one.
  return coversValidity(draft, again.since)
    ? await conflicted(ask, ledgers, present(draft.claims[0], "a claim"))
    : { kind: "unknown" };
}

/** Whether the node has every ledger since the draft was made. */
function coversValidity({ validity }: Draft, since: bigint): boolean {
  if (validity?.kind !== "time") return false;
  return since <= secondsOf(validity.until) - BigInt(validitySeconds);
}

/** Whole seconds since 1970, rounded down. */
function secondsOf(time: Instant): bigint {
  return BigInt(Math.floor(time / microsPerSecond));
}

async function mined(
  ask: AskStellar,
  chain: string,
  ledgers: Ledgers,
  txid: string,
  height: number,
): Promise<SpendStatus> {
  const ledger = await ledgers.at(ask, height);
  const transaction = ledger?.transactions.find((one) => ownIdOf(one) === txid);
  if (ledger === null || transaction === undefined)
    throw new Unavailable(chain, `the node has ${txid} but not its ledger`);
  return { kind: "mined", block: ledger.header, ...receiptOf(transaction) };
}

/** Names the transaction that used the sequence, if it is in one of the newest ledgers. */
async function conflicted(ask: AskStellar, ledgers: Ledgers, claim: string): Promise<SpendStatus> {
  const ledger = await ledgers.search(ask, ({ transactions }) =>
    transactions.some((one) => claimsOf(one).includes(claim)),
  );
  const by = ledger?.transactions.find((one) => claimsOf(one).includes(claim));
  return ledger === null || by === undefined
    ? { kind: "conflicted", by: null, block: null }
    : { kind: "conflicted", by: ownIdOf(by), block: ledger.header };
}

/** For how long before its end a transaction of ours may have been valid at most, and some more: our clock may be ahead of the ledgers'. */
const searchedSeconds = 2 * validitySeconds;

/**
 * See `ChainWriter.isMissingUpTo`. False if the node has not reached the ledger, or has no longer those in which the transaction was valid: it
 * forgets transactions with their ledgers.
 */
export async function isMissingUpTo(
  ask: AskStellar,
  ledgers: Ledgers,
  txid: string,
  { validity }: Pick<Draft, "validity">,
  { hash, height }: Pick<BlockRef, "height" | "hash">,
): Promise<boolean> {
  if (validity?.kind !== "time") return false;
  const { newest, oldest } = await ask(keptLedgers);
  if (height > newest) return false;
  const ledger = await ledgers.at(ask, height);
  if (ledger?.header.hash !== hash) return false;
  const found = await ask(transactionWithId(txid));
  if (found.height !== null) return found.height > height;
  // A node that has the first ledger has all of them.
  return oldest <= 1 || found.since <= secondsOf(validity.until) - BigInt(searchedSeconds);
}
