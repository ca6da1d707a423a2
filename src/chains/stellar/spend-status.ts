import { present } from "../../platform/kernel/assert.ts";
import { microsPerSecond } from "../../platform/kernel/clock.ts";
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
  return since <= BigInt(Math.floor(validity.until / microsPerSecond) - validitySeconds);
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

/** An hour of ledgers: more than any transaction of ours is valid in. */
const ledgersCovered = 720;

/**
 * Whether the node's chain contains the ledger, and the transaction is in none of its ledgers up to that one. False if the node cannot tell:
 * it has not reached the ledger, or has no ledgers of the hour before, in which the transaction was valid.
 */
export async function isMissingUpTo(
  ask: AskStellar,
  ledgers: Ledgers,
  txid: string,
  { hash, height }: Pick<BlockRef, "height" | "hash">,
): Promise<boolean> {
  const { newest, oldest } = await ask(keptLedgers);
  if (height > newest || oldest > Math.max(1, height - ledgersCovered)) return false;
  const ledger = await ledgers.at(ask, height);
  if (ledger?.header.hash !== hash) return false;
  const found = await ask(transactionWithId(txid));
  return found.height === null || found.height > height;
}
