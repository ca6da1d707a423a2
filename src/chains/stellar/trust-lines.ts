import type { AccountReadiness } from "../paying-port.ts";
import { newEntryUnits, readAccountState, spendable } from "./account-state.ts";
import { native } from "./asset.ts";
import { holdingKey } from "./entries.ts";
import { currentFees } from "./pay-questions.ts";
import { entriesOf } from "./questions.ts";
import type { AskStellar } from "./stellar-node.ts";

/** Whether the account can receive coin and all these tokens. */
export async function readReadiness(
  ask: AskStellar,
  address: string,
  tokens: readonly string[],
): Promise<AccountReadiness> {
  const account = await readAccountState(ask, address, native);
  if (account === null) return "missing";
  const missing = await findMissingTrustLine(ask, address, tokens);
  if (missing === null) return "ready";
  const { high } = await ask(currentFees);
  return spendable(account.coin) < newEntryUnits + high ? "needsFunds" : "needsSetUp";
}

/** The token whose trust line a draft without payments makes; null if none is missing, or the account cannot afford it. */
export async function findNextTrustLine(
  ask: AskStellar,
  address: string,
  tokens: readonly string[],
  feeUnits: bigint,
): Promise<string | null> {
  const account = await readAccountState(ask, address, native);
  if (spendable(account?.coin ?? null) < newEntryUnits + feeUnits) return null;
  return await findMissingTrustLine(ask, address, tokens);
}

/** A token that the account cannot hold, though its issuer exists: without one, nobody can make a trust line. */
async function findMissingTrustLine(
  ask: AskStellar,
  address: string,
  tokens: readonly string[],
): Promise<string | null> {
  if (tokens.length === 0) return null;
  const lines = tokens.map((token) => holdingKey(address, token));
  const issuers = tokens.map((token) => holdingKey(issuerOf(token), native));
  const { entries } = await ask(entriesOf([...lines, ...issuers]));
  const isMissing = (at: number): boolean =>
    entries[at] === null && entries[tokens.length + at] !== null;
  return tokens.find((token, at) => issuerOf(token) !== address && isMissing(at)) ?? null;
}

function issuerOf(token: string): string {
  return token.slice(token.indexOf(":") + 1);
}
