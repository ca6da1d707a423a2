import { type Principal, visibleWallets } from "../../accounts/principal.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Executor } from "../../platform/db/database.ts";
import { readSearchText } from "./read-search-text.ts";
import { searchRows } from "./search.store.ts";
import type { SearchHit } from "./search-hit.ts";

/** Finds at most 20 deposits, payouts and transfers that the caller may view and that match a text, best first. */
export function search(
  { db, currencies }: { readonly db: Executor; readonly currencies: CurrencyRegistry },
  principal: Principal,
  text: string,
): Promise<readonly SearchHit[]> {
  const chains = new Set(currencies.all.flatMap(({ chain }) => (chain === null ? [] : [chain])));
  return searchRows(db, principal.accountId, visibleWallets(principal), readSearchText(text), [
    ...chains,
  ]);
}
