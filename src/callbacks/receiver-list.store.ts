import { ofAccount } from "../platform/db/account-scope.ts";
import { columnList, type Row } from "../platform/db/columns.ts";
import type { Executor } from "../platform/db/database.ts";
import { type Bind, fetchPage, type ListSql } from "../platform/db/list-query.ts";
import { type ListQuery, mapPage, type Page } from "../platform/kernel/list-query.ts";
import { type Receiver, receiverFields, receiverFromRow } from "./receiver.ts";
import { receiverFilters, receiverSort } from "./receiver-filters.ts";

const columns = columnList(receiverFields, "host", {
  waiting: "coalesce((select waiting.callbacks from waiting where waiting.host = host.host), 0)",
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
  // Counted by themselves: callbacks may be distributed, receivers are not.
  const withSql = (bind: Bind): string => `waiting as (
    select host, count(*) as callbacks from callback where account_id = ${bind(accountId)} and status = 'pending' group by host)`;
  const list = { ...receiverList, withSql };
  return mapPage(await fetchPage<Row>(db, list, scope, query), receiverFromRow);
}
