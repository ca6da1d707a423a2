import type { Executor } from "../../platform/db/database.ts";
import { freeClaims } from "./claim.store.ts";
import { findSpendsOf, readSpends } from "./spend.store.ts";
import type { Spend } from "./spend.ts";

/** The spend; null if there is none with this id. */
export async function findSpend(db: Executor, id: string): Promise<Spend | null> {
  const [spend] = await readSpends(db, [id]);
  return spend ?? null;
}

/** The spends of these transactions of a chain; null if one of the transactions is unknown. */
export async function findSpendsOfTransactions(
  db: Executor,
  chain: string,
  txids: readonly string[],
): Promise<readonly Spend[] | null> {
  const spendIds = await findSpendsOf(db, chain, txids);
  if (txids.some((txid) => !spendIds.has(txid))) return null;
  return await readSpends(db, [...new Set(spendIds.values())]);
}

/** Ends claims of failed spends, so that later transactions may use them. */
export function freeLeftClaims(
  tx: Executor,
  chain: string,
  claims: readonly string[],
): Promise<void> {
  return freeClaims(tx, chain, claims);
}
