import type { AccountReadiness } from "../paying-port.ts";
import { newEntryUnits, readAccountState, spendable, tokenHolding } from "./account-state.ts";
import { native } from "./asset.ts";
import { holdingKey } from "./entries.ts";
import { currentFees } from "./pay-questions.ts";
import { entriesOf } from "./questions.ts";
import type { AskStellar } from "./stellar-node.ts";

/** Whether the account can receive coin and all these tokens. That one is missing counts before that another one is not permitted. */
export async function readReadiness(
  ask: AskStellar,
  address: string,
  tokens: readonly string[],
): Promise<AccountReadiness> {
  const account = await readAccountState(ask, address, native);
  if (account === null) return "missing";
  const { missing, unauthorized } = await readTrustLines(ask, address, tokens);
  if (missing === null) return unauthorized === null ? "ready" : "unauthorized";
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
  return (await readTrustLines(ask, address, tokens)).missing;
}

/**
 * A token that the account has no trust line for, though its issuer exists: without one, nobody can make it. And a token whose issuer does not
 * let the account use its trust line. Each null if there is none.
 */
async function readTrustLines(
  ask: AskStellar,
  address: string,
  tokens: readonly string[],
): Promise<{ readonly missing: string | null; readonly unauthorized: string | null }> {
  if (tokens.length === 0) return { missing: null, unauthorized: null };
  const lines = tokens.map((token) => holdingKey(address, token));
  const issuers = tokens.map((token) => holdingKey(issuerOf(token), native));
  const { entries } = await ask(entriesOf([...lines, ...issuers]));
  const isMissing = (at: number): boolean =>
    entries[at] === null && entries[tokens.length + at] !== null;
  const isUnauthorized = (at: number): boolean => {
    const line = entries[at] ?? null;
    return line !== null && !tokenHolding(line).isAuthorized;
  };
  return {
    missing: tokens.find((token, at) => issuerOf(token) !== address && isMissing(at)) ?? null,
    unauthorized: tokens.find((_, at) => isUnauthorized(at)) ?? null,
  };
}

function issuerOf(token: string): string {
  return token.slice(token.indexOf(":") + 1);
}
