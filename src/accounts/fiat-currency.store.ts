import { type Executor, statement } from "../platform/db/database.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";

const read = statement<{ readonly id: string; readonly fiat_currency: CurrencyId }>(
  "account.fiat-currencies",
  "select id, fiat_currency from account where id = any($1::bigint[])",
);

/** The fiat currencies of these accounts, by account id. */
export async function readFiatCurrencyRows(
  db: Executor,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, CurrencyId>> {
  const rows = await db.query(read, [[...new Set(accountIds)]]);
  return new Map(rows.map((row) => [row.id, row.fiat_currency]));
}
