import type { Executor } from "../../platform/db/database.ts";
import { readTipHeight } from "./block.store.ts";
import { readSpends } from "./spend.store.ts";
import { holdsClaims } from "./spend.ts";

/** A transaction in a block of the best chain; null while it is in none. */
type Rival = {
  readonly chain: string;
  readonly claims: readonly string[];
  /** The sending account; null on chains of coins. */
  readonly sender: string | null;
  readonly block: { readonly height: number } | null;
};

/**
 * Those of the spends of coins that can never be mined: each of their transactions needs a coin that this one spent, at their confirmation
 * count.
 */
export async function spendsRuledOut(
  tx: Executor,
  { block, chain, claims, sender }: Rival,
  spendIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const tipHeight = spendIds.length === 0 ? null : await readTipHeight(tx, chain);
  if (tipHeight === null || block === null || sender !== null) return new Set();
  const spent = new Set(claims);
  const spends = (await readSpends(tx, spendIds)).filter(
    ({ attempts, confirmations, state }) =>
      state === "open" &&
      tipHeight - block.height + 1 >= confirmations &&
      attempts.filter(holdsClaims).every(({ draft }) => draft.claims.some((one) => spent.has(one))),
  );
  return new Set(spends.map(({ id }) => id));
}
