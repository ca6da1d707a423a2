import { accountScope } from "../../platform/db/account-scope.ts";
import { columnList, type Row } from "../../platform/db/columns.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import { fetchPage, type ListSql } from "../../platform/db/list-query.ts";
import { type ListQuery, mapPage, type Page } from "../../platform/kernel/list-query.ts";
import { eventWallet } from "../callback.ts";
import { eventFilters } from "./event-filters.ts";
import { type FeedEvent, feedEventFromRow, feedFields } from "./feed-event.ts";

const columns = columnList(feedFields, "event", {
  wallet_id: eventWallet,
});

// Rows are locked before they are counted, so no number is skipped or given twice even if two relays run. The feed's
// row stays locked until commit, so an account's numbers become visible in order. Test deliveries get none.
const numberEvents = statement<{ account_id: string }>(
  "events.number",
  `with waiting as materialized (
     select account_id, id from event where seq is null and object_type <> 'test' order by account_id, id limit $1 for update skip locked
   ), counted as (
     select account_id, count(*) as events from waiting group by account_id
   ), feed as (
     insert into event_feed as feed (account_id, last_seq)
     select account_id, events from counted order by account_id
     on conflict (account_id) do update set last_seq = feed.last_seq + excluded.last_seq
     returning account_id, last_seq
   )
   update event set seq = feed.last_seq - counted.events + numbered.place
   from (select account_id, id, row_number() over (partition by account_id order by id) as place from waiting) numbered
     join counted using (account_id) join feed using (account_id)
   where event.account_id = numbered.account_id and event.id = numbered.id
   returning event.account_id`,
);

const feedList: ListSql = {
  name: "event.list",
  select: columns,
  from: "event",
  filters: eventFilters,
  uncountedFilter: "after",
  sort: { id: { sql: "event.seq", type: "bigint" } },
};

const readOne = statement<Row>(
  "events.read",
  `select ${columns} from event where event.account_id = $1 and event.seq = $2`,
);

/** Numbers up to `limit` unnumbered events; returns how many. */
export async function numberEventRows(db: Executor, limit: number): Promise<number> {
  return (await db.query(numberEvents, [limit])).length;
}

/** A page of an account's numbered events; `wallets` limits it to objects of these wallets, null means all. */
export async function listEventRows(
  db: Executor,
  accountId: string,
  wallets: readonly string[] | null,
  query: ListQuery,
): Promise<Page<FeedEvent>> {
  const owner = { account: "event.account_id", wallet: eventWallet, walletType: "text" } as const;
  const scope = [...accountScope(owner, accountId, wallets), () => "event.seq is not null"];
  return mapPage(await fetchPage<Row>(db, feedList, scope, query), feedEventFromRow);
}

/** The event with this number in the account's feed, or null if there is none yet. */
export async function readEventRow(
  db: Executor,
  accountId: string,
  seq: string,
): Promise<FeedEvent | null> {
  const [row] = await db.query(readOne, [accountId, seq]);
  return row === undefined ? null : feedEventFromRow(row);
}
