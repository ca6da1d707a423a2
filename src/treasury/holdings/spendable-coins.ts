import type { Coin } from "../../chains/paying-port.ts";
import type { Executor } from "../../platform/db/database.ts";
import { assert } from "../../platform/kernel/assert.ts";
import { readSpendable } from "./coin.store.ts";

/**
 * Coins that a transaction may use, the largest first: `confirmations` deep (the currency's own count), mature, used by no
 * block and by no spend that is under way, and not of a deposit that screening blocked or has yet to see.
 */
export function spendableCoins(
  db: Executor,
  chain: string,
  { confirmations, limit }: { readonly confirmations: number; readonly limit: number },
): Promise<readonly Coin[]> {
  assert(confirmations > 0, "a coin below one confirmation is in no block");
  return readSpendable(db, chain, confirmations, limit);
}
