import { type Executor, type Statement, statement } from "../../platform/db/database.ts";
import { readIsDistributed } from "../../platform/db/is-distributed.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import {
  type AvailableHost,
  type Claim,
  type ClaimedCallback,
  type Claiming,
  claimed,
  claimTogether,
  inOrder,
  isAvailable,
  isResent,
} from "./dispatch.store.ts";
import type { HostKey } from "./host-breakers.store.ts";

/*
 * The claims of a distributed database. An account's callbacks are on one node, where rows can be locked and locked ones skipped; a
 * statement about several nodes can do neither.
 */

const availableHosts = statement<AvailableHost>(
  "callbacks.available-hosts-by-account",
  `with lane as (
     select account_id, host from callback where ${isAvailable("$1")} group by account_id, host
   )
   select lane.account_id as "accountId", lane.host, coalesce(breaker.consecutive_failures, 0) as "consecutiveFailures",
          breaker.open_until is not null as "isHalfOpen"
   from lane left join callback_host breaker using (account_id, host)
   where breaker.open_until is null or breaker.open_until <= $1`,
);

/** Claims the oldest callbacks of each lane of an account that are `available`. */
const claimOfLanes = (available: string): string => `with lane as (
     select * from unnest($4::text[], $5::integer[]) as lane (host, size)
   ), candidate as materialized (
     select found.* from lane cross join lateral (
       select callback.id, callback.event_id from callback
       where callback.account_id = $3 and callback.host = lane.host and ${available} and ${inOrder("$3")}
       order by callback.due_at, callback.id
       limit lane.size
       for update skip locked) found
   )
   ${claimed("$3")}`;

const claim = statement<ClaimedCallback>(
  "callbacks.claim-of-account",
  claimOfLanes(isAvailable("$2")),
);

const resentHosts = statement<HostKey>(
  "callbacks.resent-hosts-by-account",
  `select account_id as "accountId", host from callback where ${isResent("$1")} group by account_id, host`,
);

const claimResends = statement<ClaimedCallback>(
  "callbacks.claim-resends-of-account",
  claimOfLanes(isResent("$2")),
);

function claimByAccountWith(claiming: Statement<ClaimedCallback>): Claim {
  return async (db, lanes, now, until) => {
    const found = await Promise.all(
      [...Map.groupBy(lanes, ({ accountId }) => accountId)].map(([accountId, own]) =>
        db.query(claiming, [
          formatTimestamp(until),
          formatTimestamp(now),
          accountId,
          own.map(({ host }) => host),
          own.map(({ size }) => size),
        ]),
      ),
    );
    return found.flat();
  };
}

export const claimByAccount: Claiming = {
  findHosts: (db, now) => db.query(availableHosts, [formatTimestamp(now)]),
  claimDue: claimByAccountWith(claim),
  findResent: (db, now) => db.query(resentHosts, [formatTimestamp(now)]),
  claimResent: claimByAccountWith(claimResends),
};

/** How callbacks are claimed in this database. */
export async function chooseClaiming(db: Executor): Promise<Claiming> {
  return (await readIsDistributed(db)) ? claimByAccount : claimTogether;
}
