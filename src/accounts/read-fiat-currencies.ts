import type { Executor } from "../platform/db/database.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";
import { readFiatCurrencyRows } from "./fiat-currency.store.ts";

/** The fiat currencies in which these accounts value payments and payouts, by account id. Asks nothing for no accounts. */
export function readFiatCurrencies(
  db: Executor,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, CurrencyId>> {
  return accountIds.length === 0
    ? Promise.resolve(new Map())
    : readFiatCurrencyRows(db, accountIds);
}
