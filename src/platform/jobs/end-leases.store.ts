import { type Executor, statement } from "../db/database.ts";
import type { Instant } from "../kernel/clock.ts";
import { formatTimestamp } from "../kernel/timestamp.ts";

const chainsStatement = statement<never>(
  "end-leases.chains",
  `update chain_cursor set lease_holder = null, lease_expires_at = null, updated_at = $1::timestamptz
   where lease_holder is not null`,
);

const jobsStatement = statement<never>(
  "end-leases.jobs",
  "update job_lease set expires_at = $1::timestamptz where expires_at > $1::timestamptz",
);

const callbacksStatement = statement<never>(
  "end-leases.callbacks",
  "update callback set claimed_until = null where claimed_until is not null",
);

/**
 * Ends every lease and claim on record, for who knows that their holders have died: chains are read and callbacks sent at once,
 * and not after a minute. A holder that lives after all is kept from writing by the next one's fence, as after any lease that
 * ran out.
 */
export async function endLeases(db: Executor, now: Instant): Promise<void> {
  const at = [formatTimestamp(now)];
  await db.query(chainsStatement, at);
  await db.query(jobsStatement, at);
  await db.query(callbacksStatement, []);
}
