import { Counter, collectDefaultMetrics, Gauge, type Registry } from "prom-client";
import type { Database, Executor } from "../../platform/db/database.ts";

/** A database whose pools of connections are reported, where it has any. */
export type MeasuredDatabase = Executor & Pick<Database, "pools" | "replica">;

/** Gauges that the library names like counters, which `promtool check metrics` reports. They are the sums of others. */
const misnamed = ["handles", "requests", "resources"].map((what) => `nodejs_active_${what}_total`);

/**
 * Metrics of Node and the process, under the names that common dashboards use, and of the pools of database connections. Call the
 * returned function before each rendering.
 */
export function runtimeMetrics(registry: Registry, db: MeasuredDatabase): () => void {
  collectDefaultMetrics({ register: registry });
  for (const name of misnamed) registry.removeSingleMetric(name);
  new Gauge({
    name: "sluice_build_info",
    help: "1; the version of Node that runs the program",
    labelNames: ["node"],
    registers: [registry],
  }).set({ node: process.version }, 1);
  const connections = new Gauge({
    name: "sluice_database_connections",
    help: "Connections of this process to the database",
    labelNames: ["pool", "state"],
    registers: [registry],
  });
  const waiting = new Gauge({
    name: "sluice_database_waiting",
    help: "Statements and transactions of this process that wait for a connection",
    labelNames: ["pool"],
    registers: [registry],
  });
  const refreshReplica = replicaMetrics(registry, db);
  return () => {
    refreshReplica();
    for (const { pool, open, idle, waiting: count } of db.pools?.() ?? []) {
      connections.set({ pool, state: "used" }, open - idle);
      connections.set({ pool, state: "idle" }, idle);
      waiting.set({ pool }, count);
    }
  };
}

/** Without values in processes without a replica. */
function replicaMetrics(registry: Registry, db: MeasuredDatabase): () => void {
  const answers = new Counter({
    name: "sluice_replica_reads_total",
    help: "Reads that may lag, by the place that answered and, of the primary, why the replica did not",
    labelNames: ["place", "reason"],
    registers: [registry],
  });
  const lag = new Gauge({
    name: "sluice_replica_lag_seconds",
    help: "How far the replica was behind at the last look; NaN while it does not answer or follows another primary",
    registers: [registry],
  });
  lag.remove();
  return () => {
    const state = db.replica?.();
    if (state === undefined) return;
    const { answers: counts, lagSeconds } = state;
    answers.reset();
    answers.inc({ place: "replica", reason: "" }, counts.replica);
    for (const [reason, count] of Object.entries(counts.primary))
      answers.inc({ place: "primary", reason }, count);
    lag.set(lagSeconds ?? Number.NaN);
  };
}
