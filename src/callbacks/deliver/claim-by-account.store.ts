import { type Executor, statement } from "../../platform/db/database.ts";
import { readIsDistributed } from "../../platform/db/is-distributed.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import {
  type AvailableHost,
  type ClaimedCallback,
  type Claiming,
  claimed,
  claimTogether,
  inOrder,
  isAvailable,
  type Lane,
} from "./dispatch.store.ts";

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

const claim = statement<ClaimedCallback>(
  "callbacks.claim-of-account",
  `with lane as (
     select * from unnest($4::text[], $5::integer[]) as lane (host, size)
   ), candidate as materialized (
     select found.* from lane cross join lateral (
       select callback.id, callback.event_id from callback
       where callback.account_id = $3 and callback.host = lane.host and ${isAvailable("$2")} and ${inOrder("$3")}
       order by callback.due_at, callback.id
       limit lane.size
       for update skip locked) found
   )
   ${claimed("$3")}`,
);

const accountsOfResends = statement<{ accountId: string }>(
  "callbacks.accounts-of-resends",
  `select distinct account_id as "accountId" from callback where is_resend and ${isAvailable("$1")}`,
);

const claimResends = statement<ClaimedCallback>(
  "callbacks.claim-resends-of-account",
  `with candidate as materialized (
     select callback.id, callback.event_id from callback
     where callback.account_id = $3 and is_resend and ${isAvailable("$2")} and ${inOrder("$3")}
     order by due_at
     limit $4
     for update skip locked
   )
   ${claimed("$3")}`,
);

function findHosts(db: Executor, now: Instant): Promise<readonly AvailableHost[]> {
  return db.query(availableHosts, [formatTimestamp(now)]);
}

async function claimDue(
  db: Executor,
  lanes: readonly Lane[],
  now: Instant,
  until: Instant,
): Promise<readonly ClaimedCallback[]> {
  const found = await Promise.all(
    [...Map.groupBy(lanes, ({ accountId }) => accountId)].map(([accountId, own]) =>
      db.query(claim, [
        formatTimestamp(until),
        formatTimestamp(now),
        accountId,
        own.map(({ host }) => host),
        own.map(({ size }) => size),
      ]),
    ),
  );
  return found.flat();
}

async function claimResent(
  db: Executor,
  limit: number,
  now: Instant,
  until: Instant,
): Promise<readonly ClaimedCallback[]> {
  const accounts = await db.query(accountsOfResends, [formatTimestamp(now)]);
  const claims: ClaimedCallback[] = [];
  for (const { accountId } of accounts) {
    if (claims.length >= limit) break;
    const values = [formatTimestamp(until), formatTimestamp(now), accountId];
    claims.push(...(await db.query(claimResends, [...values, limit - claims.length])));
  }
  return claims;
}

export const claimByAccount: Claiming = { findHosts, claimDue, claimResent };

/** How callbacks are claimed in this database. */
export async function chooseClaiming(db: Executor): Promise<Claiming> {
  return (await readIsDistributed(db)) ? claimByAccount : claimTogether;
}
