import { recordCurrencies } from "../../currencies/record-currencies.ts";
import type { ClockGuard } from "../../platform/db/clock-guard.ts";
import { inspectDatabase } from "../../platform/db/inspect-database.ts";
import type { World } from "../../platform/kernel/world.ts";
import { releaseMemoryWhenQuiet } from "../../platform/processes/release-memory.ts";
import { createFoundation, type Foundation } from "../build/foundation.ts";
import type { Config } from "../config/config.ts";
import { expectedSeries } from "../metrics/expected-series.ts";
import { createMetrics, type Metrics } from "../metrics/metrics.ts";
import { startTracing } from "../tracing/start-tracing.ts";
import type { Teardown } from "./teardown.ts";

/**
 * How api and worker start. Rejects when the database's schema has another version, which this process must not write to, and
 * when the configuration lacks a currency with balances in the database.
 */
export async function startProcess(
  config: Config,
  world: World,
  process: "api" | "worker",
  teardown: Teardown,
): Promise<{ readonly foundation: Foundation; readonly metrics: Metrics }> {
  const { pending, altered } = await inspectDatabase(config.database.url);
  if (pending.length > 0 || altered.length > 0) {
    throw new Error("the database has another schema than this program: run `sluice migrate`");
  }
  await startTracing(config, process, globalThis.process.pid, teardown);
  const foundation = await createFoundation(config, world, process);
  teardown.add("database connections", () => foundation.db.close());
  await watchClock(foundation.clockGuard, teardown);
  await recordCurrencies(foundation, foundation.currencies);
  keepMemoryLow(foundation, teardown);
  return {
    foundation,
    metrics: createMetrics(
      foundation.db,
      foundation.clock,
      foundation.clockGuard,
      expectedSeries(foundation),
    ),
  };
}

/** Checks the clock once, and from then on at intervals until the teardown. */
export async function watchClock(clockGuard: ClockGuard, teardown: Teardown): Promise<void> {
  await clockGuard.check();
  const stop = new AbortController();
  const watching = clockGuard.watch(stop.signal);
  teardown.add("clock check", async () => {
    stop.abort();
    await watching;
  });
}

/** From now on, gives memory back whenever this process is quiet, until the teardown. */
function keepMemoryLow({ clock }: Pick<World, "clock">, teardown: Teardown): void {
  const stop = new AbortController();
  const releasing = releaseMemoryWhenQuiet({ clock }, stop.signal);
  teardown.add("release of memory", async () => {
    stop.abort();
    await releasing;
  });
}
