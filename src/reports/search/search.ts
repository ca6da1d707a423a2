import { isOperator } from "../../accounts/operator.ts";
import { type Principal, visibleWallets } from "../../accounts/principal.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Executor } from "../../platform/db/database.ts";
import { readSearchText } from "./read-search-text.ts";
import { searchReceiptRows, searchRows } from "./search.store.ts";
import { hitsMax, type SearchHit } from "./search-hit.ts";

/**
 * Finds at most 20 deposits, payouts and transfers that the caller may view and that match a text, best first. For operators also
 * payments under no deposit's tag, which come first: no account has them, so nothing else shows them.
 */
export async function search(
  { db, currencies }: { readonly db: Executor; readonly currencies: CurrencyRegistry },
  principal: Principal,
  text: string,
): Promise<readonly SearchHit[]> {
  const chains = new Set(currencies.all.flatMap(({ chain }) => (chain === null ? [] : [chain])));
  const read = readSearchText(text);
  const receipts = (await isOperator(db, principal)) ? await searchReceiptRows(db, read) : [];
  const found = await searchRows(db, principal.accountId, visibleWallets(principal), read, [
    ...chains,
  ]);
  return [...receipts, ...found].slice(0, hitsMax);
}
