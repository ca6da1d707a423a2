import { Gauge, type Registry } from "prom-client";
import { readAdmission } from "../../platform/db/admission.ts";
import type { Executor } from "../../platform/db/database.ts";
import { type Clock, type Instant, secondsBetween } from "../../platform/kernel/clock.ts";
import { readBacklogs, readLeases } from "../../reports/operations/backlog.store.ts";

/**
 * Gauges of work that waits, of the jobs that do it and of what they depend on, from the shared database. Jobs of a chain that the
 * deployment does not have any more, whose leases nobody takes, are left out.
 */
export function backlogGauges(
  registry: Registry,
  chains: ReadonlySet<string>,
): (db: Executor, clock: Clock) => Promise<void> {
  const gauge = (name: string, help: string, labelNames: readonly string[]): Gauge =>
    new Gauge({ name: `sluice_${name}`, help, labelNames: [...labelNames], registers: [registry] });
  const admitted = gauge(
    "database_admitted",
    "1 where a worker has verified that the database is the newest one",
    [],
  );
  const waiting = gauge("backlog", "Rows that wait for a job", ["queue"]);
  const waitingAge = gauge("backlog_oldest_seconds", "Age of the oldest of them", ["queue"]);
  const overdue = gauge("job_lease_overdue_seconds", "For how long no worker has held the job", [
    "task",
  ]);
  return async (db, clock) => {
    const now = clock.now();
    const ageSeconds = (since: Instant): number => Math.max(secondsBetween(since, now), 0);
    const [isAdmitted, backlogs, leases] = await Promise.all([
      readAdmission(db),
      readBacklogs(db),
      readLeases(db),
    ]);
    admitted.set(isAdmitted ? 1 : 0);
    for (const { queue, count, oldest_at } of backlogs) {
      waiting.set({ queue }, Number(count));
      waitingAge.set({ queue }, ageSeconds(oldest_at ?? now));
    }
    overdue.reset();
    for (const { name, expires_at } of leases) {
      // `payouts BTC` is the name of a chain's job.
      const [, chain = null] = name.split(" ");
      if (chain === null || chains.has(chain)) overdue.set({ task: name }, ageSeconds(expires_at));
    }
  };
}
