import { type Executor, statement } from "../../platform/db/database.ts";
import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

const isOver = "w.opened_at <= $3";

type Row = { opened_at: Instant; granted: number; leased: number };

/**
 * $1 bucket, $2 now, $3 windows that began before this have ended, $4 limit, $5 minimum, $6 maximum. A lease takes at most a
 * quarter of what is left unless the minimum is higher, so that near the limit no process holds what another one needs.
 */
const lease = statement<Row>(
  "throttle.lease",
  `insert into throttle_window as w (bucket, opened_at, granted, leased)
   values ($1, $2, least($4::int, greatest($5::int, least($6::int, $4::int / 4))),
           least($4::int, greatest($5::int, least($6::int, $4::int / 4))))
   on conflict (bucket) do update set
     opened_at = case when ${isOver} then excluded.opened_at else w.opened_at end,
     granted = case when ${isOver} then excluded.granted
       else w.granted + greatest(0, least($4::int - w.granted,
              greatest($5::int, least($6::int, ($4::int - w.granted) / 4)))) end,
     leased = case when ${isOver} then excluded.leased
       else greatest(0, least($4::int - w.granted,
              greatest($5::int, least($6::int, ($4::int - w.granted) / 4)))) end
   returning opened_at, granted, leased`,
);

const deleteOver = statement(
  "throttle.delete-over",
  "delete from throttle_window where opened_at <= $1",
);

export type ThrottleLease = {
  readonly openedAt: Instant;
  /** Granted to all processes in this window so far. */
  readonly granted: number;
  /** Granted by this lease. */
  readonly leased: number;
};

/** Leases requests from the bucket's window, and begins a new window when there is none or the last one is over. */
export async function leaseRequests(
  db: Executor,
  request: {
    readonly bucket: string;
    readonly now: Instant;
    readonly windowSeconds: number;
    readonly limit: number;
    readonly atLeast: number;
    readonly atMost: number;
  },
): Promise<ThrottleLease | null> {
  const [row] = await db.query(lease, [
    request.bucket,
    formatTimestamp(request.now),
    formatTimestamp(addSeconds(request.now, -request.windowSeconds)),
    request.limit,
    request.atLeast,
    request.atMost,
  ]);
  if (row === undefined) return null;
  return { openedAt: row.opened_at, granted: row.granted, leased: row.leased };
}

/** Deletes the windows that began before `before`. */
export async function deleteWindowsOpenedBefore(db: Executor, before: Instant): Promise<void> {
  await db.query(deleteOver, [formatTimestamp(before)]);
}
