import { collectDefaultMetrics, Gauge, type Registry } from "prom-client";
import type { Database, Executor } from "../../platform/db/database.ts";

/** A database whose pools of connections are reported, where it has any. */
export type MeasuredDatabase = Executor & Pick<Database, "pools">;

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
  return () => {
    for (const { pool, open, idle, waiting: count } of db.pools?.() ?? []) {
      connections.set({ pool, state: "used" }, open - idle);
      connections.set({ pool, state: "idle" }, idle);
      waiting.set({ pool }, count);
    }
  };
}
