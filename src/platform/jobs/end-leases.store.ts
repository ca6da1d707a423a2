import { type Executor, statement } from "../db/database.ts";
import { addSeconds, type Instant } from "../kernel/clock.ts";
import { formatTimestamp } from "../kernel/timestamp.ts";

/** No process takes a lease for longer. */
const leaseSecondsMax = 3_600;

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

const emailsStatement = statement<never>(
  "end-leases.emails",
  "update email set claimed_until = null where claimed_until is not null",
);

const futureChainsStatement = statement<never>(
  "end-leases.future-chains",
  `update chain_cursor set lease_holder = null, lease_expires_at = null, updated_at = $1::timestamptz
   where lease_expires_at > $2::timestamptz`,
);

const futureJobsStatement = statement<never>(
  "end-leases.future-jobs",
  "update job_lease set expires_at = $1::timestamptz where expires_at > $2::timestamptz",
);

const futureWindowsStatement = statement<never>(
  "end-leases.future-windows",
  "delete from throttle_window where opened_at > $1::timestamptz",
);

const futureGuessesStatement = statement<never>(
  "end-leases.future-guesses",
  "delete from guess_window where opened_at > $1::timestamptz",
);

/**
 * Ends leases and throttle windows that no process with a right clock can have written. They remain when the database server's
 * clock was ahead and has been set back. The fence prevents a lease holder that is still alive from writing.
 */
export async function endFutureLeases(db: Executor, now: Instant): Promise<void> {
  const times = [formatTimestamp(now), formatTimestamp(addSeconds(now, leaseSecondsMax))];
  await db.query(futureChainsStatement, times);
  await db.query(futureJobsStatement, times);
  await db.query(futureWindowsStatement, times.slice(1));
  await db.query(futureGuessesStatement, times.slice(1));
}

/**
 * Ends every lease and claim. For a caller that knows their holders are dead: chains and callbacks then continue at once instead
 * of after a minute. If a holder is alive after all, the next holder's fence prevents it from writing, as with any expired lease.
 */
export async function endLeases(db: Executor, now: Instant): Promise<void> {
  const at = [formatTimestamp(now)];
  await db.query(chainsStatement, at);
  await db.query(jobsStatement, at);
  await db.query(callbacksStatement, []);
  await db.query(emailsStatement, []);
}
