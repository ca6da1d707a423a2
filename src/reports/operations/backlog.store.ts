import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";

const backlogs = statement<{
  readonly queue: "event-relay" | "screening" | "payout-screening";
  readonly count: string;
  readonly oldest_at: Instant | null;
}>(
  "operations.read-backlogs",
  `select 'event-relay' as queue, count(*) as count, min(created_at) as oldest_at
     from event where seq is null and object_type <> 'test'
   union all
   select 'screening', count(*), min(created_at) from transfer where risk_status = 2
   union all
   select 'payout-screening', count(*), min(created_at) from payout where risk_status = 2 and stage = 'held'`,
  { mayTakeLong: true },
);

/** Rows that wait for a job: events without a number, payments and payouts without a screening result. */
export function readBacklogs(db: Executor) {
  return db.query(backlogs);
}

const sources = statement<{ readonly source: string; readonly newest_at: Instant }>(
  "operations.read-rate-sources",
  "select source, max(fetched_at) as newest_at from rate_source_quote group by source order by source",
);

/** When each source of rates was last heard. */
export function readRateSources(db: Executor) {
  return db.query(sources);
}

const rates = statement<{ readonly symbol: string; readonly created_at: Instant }>(
  "operations.read-rate-times",
  "select symbol, created_at from rate_quote",
);

/** When the newest price of each symbol was heard, also of those that have expired. */
export function readRateTimes(db: Executor) {
  return db.query(rates);
}

const leases = statement<{ readonly name: string; readonly expires_at: Instant }>(
  "operations.read-leases",
  "select name, expires_at from job_lease order by name",
);

/** Until when each recurring job is in the hands of a worker. */
export function readLeases(db: Executor) {
  return db.query(leases);
}
