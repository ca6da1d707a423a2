import {
  type JobContext,
  type PeriodicJob,
  runPeriodically,
} from "../../platform/jobs/periodic.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { isNewest, type MarkContext, syncMark } from "./sync-mark.ts";

const pollMs = 200;

/** Keeps the mark that database and signer share; see `keepMark`. */
export function markJob(context: MarkContext, leaseMs: number): PeriodicJob {
  return {
    name: "database-mark",
    everyMs: 1_000,
    leaseMs,
    run: (signal) => syncMark(context, signal),
  };
}

/**
 * Resolves when the database is known to be the newest one, having been recovered by this worker or another where it was not, or
 * when `signal` aborts. Before that no chain is to be followed and nothing to be drafted: a transaction of ours that the database
 * has forgotten would look like a payment from outside.
 */
export async function awaitNewestDatabase(
  context: MarkContext,
  jobs: JobContext,
  leaseMs: number,
  signal: AbortSignal,
): Promise<void> {
  if (await isFound(context)) return;
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const job = markJob(context, leaseMs);
  const recover = runPeriodically(jobs, { ...job, everyMs: pollMs }, either);
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

/** A signer or a database that is away for the moment is waited for as well. */
async function isFound(context: MarkContext): Promise<boolean> {
  try {
    return await isNewest(context);
  } catch (error) {
    if (error instanceof Unavailable) return false;
    throw error;
  }
}
