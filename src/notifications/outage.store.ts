import { type Executor, statement } from "../platform/db/database.ts";
import type { Instant } from "../platform/kernel/clock.ts";
import { formatTimestamp } from "../platform/kernel/timestamp.ts";

const readings = statement<{
  readonly chain: string;
  readonly caughtUpAt: Instant | null;
  readonly lastDownAt: Instant | null;
}>(
  "outage.readings",
  `select c.chain, c.caught_up_at as "caughtUpAt", o.last_down_at as "lastDownAt"
   from chain_cursor c left join node_outage o on o.chain = c.chain
   where c.chain = any($1::text[]) order by c.chain`,
);

/** When each chain was last read to its node's tip, and last seen down in an outage that has not ended. */
export function readChainReadings(db: Executor, chains: readonly string[]) {
  return db.query(readings, [chains]);
}

const extend = statement<{ readonly is_new: boolean }>(
  "outage.continue",
  `insert into node_outage as o (chain, began_at, last_down_at) values ($1, $2, $2)
   on conflict (chain) do update set last_down_at = excluded.last_down_at,
     began_at = case when o.last_down_at <= $3 then excluded.began_at else o.began_at end
   returning began_at = $2 as is_new`,
);

/** Records that a chain is down now. True if this begins an outage: it was not down since `quietSince`. */
export async function continueOutage(
  tx: Executor,
  chain: string,
  now: Instant,
  quietSince: Instant,
): Promise<boolean> {
  const [row] = await tx.query(extend, [chain, formatTimestamp(now), formatTimestamp(quietSince)]);
  return row?.is_new === true;
}

const end = statement<{ readonly beganAt: Instant; readonly lastDownAt: Instant }>(
  "outage.end",
  `delete from node_outage where chain = $1 and last_down_at <= $2
   returning began_at as "beganAt", last_down_at as "lastDownAt"`,
);

/** Ends a chain's outage, unless it was down after `quietSince`. Null if there is none, or another process has just ended it. */
export async function endOutage(
  tx: Executor,
  chain: string,
  quietSince: Instant,
): Promise<{ readonly beganAt: Instant; readonly lastDownAt: Instant } | null> {
  const [row] = await tx.query(end, [chain, formatTimestamp(quietSince)]);
  return row ?? null;
}
