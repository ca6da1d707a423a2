import { accountScope } from "../../platform/db/account-scope.ts";
import { columnList, type Row } from "../../platform/db/columns.ts";
import { type Database, type Executor, statement } from "../../platform/db/database.ts";
import { fetchPage, type ListSql } from "../../platform/db/list-query.ts";
import { type ListQuery, mapPage, type Page } from "../../platform/kernel/list-query.ts";
import { eventWallet } from "../callback.ts";
import { eventFilters } from "./event-filters.ts";
import { type FeedEvent, feedEventFromRow, feedFields } from "./feed-event.ts";

const columns = columnList(feedFields, "event", {
  wallet_id: eventWallet,
});

const anyWaiting = statement<{ found: boolean }>(
  "events.any-waiting",
  "select exists (select 1 from event where seq is null and object_type <> 'test') as found",
);

// The feeds' rows are locked by a statement of their own: the next one then sees every number that was given before. Events themselves
// are not locked, because rows on several nodes cannot be. Test deliveries get no number.
const lockFeeds = statement<{ accountId: string }>(
  "events.lock-feeds",
  `insert into event_feed as feed (account_id)
   select distinct account_id from (
     select account_id from event where seq is null and object_type <> 'test' order by account_id, id limit $1) waiting
   order by account_id
   on conflict (account_id) do update set last_seq = feed.last_seq
   returning account_id as "accountId"`,
);

// The feed's row stays locked until commit, so an account's numbers become visible in order, and no number is skipped or given
// twice even if two relays run.
const numberEvents = statement<{ account_id: string }>(
  "events.number",
  `with waiting as materialized (
     select account_id, id from event
     where seq is null and object_type <> 'test' and account_id = any($2::bigint[]) order by account_id, id limit $1
   ), counted as (
     select account_id, count(*) as events from waiting group by account_id
   ), advanced as (
     update event_feed as feed set last_seq = feed.last_seq + counted.events
     from counted where feed.account_id = counted.account_id
     returning feed.account_id, feed.last_seq
   )
   update event set seq = advanced.last_seq - counted.events + numbered.place
   from (select account_id, id, row_number() over (partition by account_id order by id) as place from waiting) numbered
     join counted using (account_id) join advanced using (account_id)
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
export async function numberEventRows(db: Database, limit: number): Promise<number> {
  const [waiting] = await db.query(anyWaiting, []);
  if (waiting?.found !== true) return 0;
  return db.transaction(async (tx) => {
    const feeds = await tx.query(lockFeeds, [limit]);
    if (feeds.length === 0) return 0;
    const accounts = feeds.map(({ accountId }) => accountId);
    return (await tx.query(numberEvents, [limit, accounts])).length;
  });
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
