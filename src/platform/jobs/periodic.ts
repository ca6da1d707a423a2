import type { Executor } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { createFailureLog, type FailureLog } from "../kernel/failure-log.ts";
import type { Logger } from "../kernel/logger.ts";
import type { Random } from "../kernel/random.ts";
import { isDatabaseAway } from "../kernel/unavailable.ts";
import { acquireLease, type Lease } from "./lease.ts";

/** Recurring work, done by exactly one of the processes that share the database. */
export type PeriodicJob = {
  /** Also the name of its lease. */
  readonly name: string;
  /** From the end of one run to the start of the next, plus or minus a tenth. Sooner after a run that the database interrupted. */
  readonly everyMs: number;
  /** How long no process runs the job, at most, after its process died. */
  readonly leaseMs: number;
  /** Must stop when `signal` aborts: on shutdown, or when another process has the lease. */
  readonly run: (signal: AbortSignal) => Promise<void>;
};

export type JobContext = {
  readonly db: Executor;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Identifies this process among those that share the database. */
  readonly holder: string;
  /** After each run, for metrics. */
  readonly onRun?: (run: {
    readonly name: string;
    readonly durationMs: number;
    readonly failed: boolean;
  }) => void;
};

/**
 * The longest pause while the database is away. A failover ends within seconds, and what a job keeps fresh, such as rates, must not
 * expire afterwards because its next run would be half a minute later.
 */
const databaseAwayMs = 2_000;

/**
 * Runs the job until `signal` aborts. A failed run is logged (ever more rarely while failures continue) and the job
 * continues with its next run. Never rejects, so one job cannot stop the others.
 */
export async function runPeriodically(
  context: JobContext,
  job: PeriodicJob,
  signal: AbortSignal,
): Promise<void> {
  const isAborted = (): boolean => signal.aborted;
  const logs = createLogs(context, job);
  while (!isAborted()) {
    let pauseMs = Math.min(job.everyMs, job.leaseMs / 2);
    try {
      const lease = await acquireLease(context, job.name, job.leaseMs);
      logs.lease.succeeded();
      if (lease !== null) await workUnderLease(context, job, logs, lease, signal);
    } catch (error) {
      logs.lease.failed(error);
      if (isDatabaseAway(error)) pauseMs = Math.min(pauseMs, databaseAwayMs);
    }
    await pause(context, pauseMs, signal);
  }
}

type Logs = { readonly run: FailureLog; readonly lease: FailureLog };

/** A job may run ten times a second; an outage must not log ten lines a second. */
function createLogs(context: JobContext, { name }: PeriodicJob): Logs {
  const fields = { job: name };
  return {
    run: createFailureLog(context, {
      level: "error",
      failing: "job failed",
      over: "job works again",
      fields,
    }),
    lease: createFailureLog(context, {
      level: "warn",
      failing: "lease request failed",
      over: "lease requests work again",
      fields,
    }),
  };
}

/** Holds the lease between runs too, so the interval is the same with one process or ten. */
async function workUnderLease(
  context: JobContext,
  job: PeriodicJob,
  logs: Logs,
  lease: Lease,
  signal: AbortSignal,
): Promise<void> {
  const stop = new AbortController();
  const working = AbortSignal.any([signal, stop.signal]);
  const renewing = renewUntilLost(context, job, logs.lease, lease, working).then(() => {
    stop.abort();
  });
  try {
    while (!working.aborted) {
      const hasRun = await runOnce(context, job, logs.run, working);
      const pauseMs = hasRun ? job.everyMs : Math.min(job.everyMs, databaseAwayMs);
      await pause(context, pauseMs, working);
    }
  } finally {
    stop.abort();
    await renewing;
    await lease.release();
  }
}

/** False if the database was away. */
async function runOnce(
  { clock, onRun }: JobContext,
  job: PeriodicJob,
  log: FailureLog,
  signal: AbortSignal,
): Promise<boolean> {
  const startedAt = clock.now();
  let failed = false;
  let isAway = false;
  try {
    await job.run(signal);
    if (!signal.aborted) log.succeeded();
  } catch (error) {
    failed = !signal.aborted;
    isAway = isDatabaseAway(error);
    if (failed) log.failed(error);
  }
  onRun?.({ name: job.name, durationMs: (clock.now() - startedAt) / 1000, failed });
  return !isAway;
}

/** Resolves when another process has the lease, or when `signal` aborts. */
async function renewUntilLost(
  { clock, logger }: JobContext,
  job: PeriodicJob,
  log: FailureLog,
  lease: Lease,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    await clock.sleep(job.leaseMs / 3, signal);
    if (signal.aborted) return;
    try {
      if (!(await lease.renew())) {
        logger.warn("another process took the job over", { job: job.name });
        return;
      }
      log.succeeded();
    } catch (error) {
      log.failed(error);
    }
  }
}

/** Jitter spreads out jobs with the same interval and processes started together. */
async function pause(
  { clock, random }: JobContext,
  delayMs: number,
  signal: AbortSignal,
): Promise<void> {
  await clock.sleep(delayMs * (0.9 + random.fraction() / 5), signal);
}
