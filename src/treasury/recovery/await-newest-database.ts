import {
  type JobContext,
  type PeriodicJob,
  runPeriodically,
} from "../../platform/jobs/periodic.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { isNewest, type MarkContext, syncMark } from "./sync-mark.ts";

const pollMs = 200;

/** The job that synchronizes the mark of database and signer; see `syncMark`. */
export function markJob(context: MarkContext, leaseMs: number): PeriodicJob {
  return {
    name: "database-mark",
    everyMs: 1_000,
    leaseMs,
    run: (signal) => syncMark(context, signal),
  };
}

/**
 * Resolves when the database is known to be the newest one, after this or another worker recovered it if necessary, or when
 * `signal` aborts. Until then, no chain may be followed and nothing drafted: a transaction of ours that the database has
 * forgotten would look like a payment from outside.
 */
export async function awaitNewestDatabase(
  context: MarkContext,
  jobs: JobContext,
  /** The mark's job; null: another worker recovers the database. */
  recovery: PeriodicJob | null,
  signal: AbortSignal,
): Promise<void> {
  if (await isFound(context)) return;
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const recover =
    recovery === null ? null : runPeriodically(jobs, { ...recovery, everyMs: pollMs }, either);
  const watch = async (): Promise<void> => {
    while (!either.aborted) {
      if (await isFound(context)) return;
      await context.clock.sleep(pollMs, either);
    }
  };
  try {
    await watch();
  } finally {
    over.abort();
    await recover;
  }
}

/** Treats a signer or database that does not respond as not found yet. */
async function isFound(context: MarkContext): Promise<boolean> {
  try {
    return await isNewest(context);
  } catch (error) {
    if (error instanceof Unavailable) return false;
    throw error;
  }
}
