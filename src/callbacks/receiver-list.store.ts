import { ofAccount } from "../platform/db/account-scope.ts";
import type { Executor } from "../platform/db/database.ts";
import { fetchPage, type ListSql } from "../platform/db/list-query.ts";
import type { Instant } from "../platform/kernel/clock.ts";
import { type ListQuery, mapPage, type Page } from "../platform/kernel/list-query.ts";
import type { Receiver } from "./receiver.ts";
import { receiverFilters, receiverSort } from "./receiver-filters.ts";

type ReceiverRow = {
  host: string;
  consecutive_failures: number;
  open_until: Instant | null;
  failing_since: Instant | null;
  waiting: string;
  updated_at: Instant;
};

const receiverList: ListSql = {
  name: "callback-receiver.list",
  select: `host.host, host.consecutive_failures, host.open_until, host.failing_since, host.updated_at,
    (select count(*) from callback where callback.account_id = host.account_id and callback.host = host.host
       and callback.status = 'pending') as waiting`,
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
  return mapPage(await fetchPage<ReceiverRow>(db, receiverList, scope, query), (row) => ({
    host: row.host,
    consecutiveFailures: row.consecutive_failures,
    openUntil: row.open_until,
    failingSince: row.failing_since,
    waiting: Number(row.waiting),
    updatedAt: row.updated_at,
  }));
}
