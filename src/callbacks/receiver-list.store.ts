import { ofAccount } from "../platform/db/account-scope.ts";
import { columnList, type Row } from "../platform/db/columns.ts";
import type { Executor } from "../platform/db/database.ts";
import { fetchPage, type ListSql } from "../platform/db/list-query.ts";
import { type ListQuery, mapPage, type Page } from "../platform/kernel/list-query.ts";
import { type Receiver, receiverFields, receiverFromRow } from "./receiver.ts";
import { receiverFilters, receiverSort } from "./receiver-filters.ts";

const columns = columnList(receiverFields, "host", {
  waiting: `select count(*) from callback where callback.account_id = host.account_id and callback.host = host.host
       and callback.status = 'pending'`,
});

const receiverList: ListSql = {
  name: "callback-receiver.list",
  select: columns,
  from: "callback_host host",
  filters: receiverFilters,
  sort: receiverSort,
};

/** A page of an account's receivers that have failed before. */
export async function listReceiverRows(
  db: Executor,
  accountId: string,
  query: ListQuery,
): Promise<Page<Receiver>> {
  const scope = [ofAccount("host.account_id", accountId)];
  return mapPage(await fetchPage<Row>(db, receiverList, scope, query), receiverFromRow);
}
