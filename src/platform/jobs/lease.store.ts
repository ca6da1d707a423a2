import { type Executor, statement } from "../db/database.ts";
import type { Instant } from "../kernel/clock.ts";
import { formatTimestamp } from "../kernel/timestamp.ts";

const acquireStatement = statement<{ fence: string }>(
  "lease.acquire",
  `insert into job_lease as held (name, holder, fence, expires_at) values ($1, $2, 1, $3::timestamptz)
   on conflict (name) do update
     set holder = excluded.holder, fence = held.fence + 1, expires_at = excluded.expires_at
     where held.expires_at <= $4::timestamptz
   returning fence`,
);

/** Takes a lease if it is free. Returns its fencing number, or null while another process holds it. */
export async function insertLease(
  db: Executor,
  name: string,
  holder: string,
  expiresAt: Instant,
  now: Instant,
): Promise<string | null> {
  const [row] = await db.query(acquireStatement, [
    name,
    holder,
    formatTimestamp(expiresAt),
    formatTimestamp(now),
  ]);
  return row?.fence ?? null;
}

const extendStatement = statement<{ name: string }>(
  "lease.extend",
  `update job_lease set expires_at = $3::timestamptz where name = $1 and fence = $2::bigint returning name`,
);

/** Sets when the lease expires; false if another process has taken it. */
export async function setLeaseExpiry(
  db: Executor,
  name: string,
  fence: string,
  expiresAt: Instant,
): Promise<boolean> {
  const rows = await db.query(extendStatement, [name, fence, formatTimestamp(expiresAt)]);
  return rows.length === 1;
}
