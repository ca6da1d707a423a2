import { ofAccount } from "../../platform/db/account-scope.ts";
import { columnList, type Row } from "../../platform/db/columns.ts";
import type { Executor } from "../../platform/db/database.ts";
import { fetchPage, type ListSql } from "../../platform/db/list-query.ts";
import { type ListQuery, mapPage, type Page } from "../../platform/kernel/list-query.ts";
import { type AllowlistedPayee, payeeFields, payeeFromRow } from "./payee.ts";
import { payeeFilters, payeeSort } from "./payee-filters.ts";

const columns = columnList(payeeFields, "k", {
  is_enforced: "account.pays_book_only",
});

const list: ListSql = {
  name: "payee.list",
  select: columns,
  from: "address_book k join account on account.id = k.account_id",
  filters: payeeFilters,
  sort: payeeSort,
};

/** A page of an account's allowlist. */
export async function listPayeeRows(
  db: Executor,
  accountId: string,
  query: ListQuery,
): Promise<Page<AllowlistedPayee>> {
  const scope = [ofAccount("k.account_id", accountId)];
  return mapPage(await fetchPage<Row>(db, list, scope, query), payeeFromRow);
}
