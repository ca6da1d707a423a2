import { Gauge, Registry } from "prom-client";
import { listPauses } from "../../payouts/controls/pause.store.ts";
import type { ClockGuard } from "../../platform/db/clock-guard.ts";
import type { Executor } from "../../platform/db/database.ts";
import { type Clock, secondsBetween } from "../../platform/kernel/clock.ts";
import { singleFlight } from "../../platform/kernel/single-flight.ts";
import {
  readCallbackQueue,
  readPools,
  readReconciliation,
} from "../../reports/operations/operations.store.ts";
import { backlogGauges } from "./backlog-gauges.ts";
import { chainGauges } from "./chain-gauges.ts";
import { type ExpectedSeries, nothingExpected } from "./expected-series.ts";
import { observeProcess, type ProcessObservers } from "./observe-process.ts";
import { payoutGauges } from "./payout-gauges.ts";
import { positionGauges } from "./position-gauges.ts";
import { rateGauges } from "./rate-gauges.ts";
import { type MeasuredDatabase, runtimeMetrics } from "./runtime-metrics.ts";
import { type SignerMetrics, signerMetrics } from "./signer-metrics.ts";

/** What a process counts itself, and what it reads from the shared database on request. */
export type Metrics = ProcessObservers & {
  /** The same client, whose calls are measured; from then on the metrics say whether the signer answers. */
  readonly measureSigner: SignerMetrics["measure"];
  /** Prometheus text format. */
  readonly render: () => Promise<{ readonly contentType: string; readonly body: string }>;
};

/** Seconds for which one database query answers every request. */
const sharedSeconds = 2;

/** The metrics of one process, in a registry of their own. */
export function createMetrics(
  db: MeasuredDatabase,
  clock: Clock,
  clockGuard: Pick<ClockGuard, "aheadSeconds">,
  expected: ExpectedSeries = nothingExpected,
): Metrics {
  const startedAt = clock.now();
  const registry = new Registry();
  const registers = [registry];
  const refreshRuntime = runtimeMetrics(registry, db);
  const clockAhead = new Gauge({
    name: "sluice_clock_ahead_seconds",
    help: "How far this process's clock is ahead of the database server's",
    registers,
  });
  const signer = signerMetrics(registry, clock);
  const gauges = [
    chainGauges(registry, expected.chains, startedAt),
    sharedGauges(registry, expected),
    backlogGauges(registry, expected.chains),
    rateGauges(registry, expected, startedAt),
    payoutGauges(registry),
    positionGauges(registry, expected.positionMax),
  ];
  const render = singleFlight(
    async () => {
      clockAhead.set(clockGuard.aheadSeconds() ?? 0);
      refreshRuntime();
      await Promise.all([...gauges.map((refresh) => refresh(db, clock)), signer.refresh()]);
      return { contentType: registry.contentType, body: await registry.metrics() };
    },
    clock,
    sharedSeconds,
  );
  return {
    ...observeProcess(registry),
    measureSigner: signer.measure,
    render,
  };
}

/** Gauges shared by all processes; each reports the same values. */
function sharedGauges(
  registry: Registry,
  { chains, pools }: Pick<ExpectedSeries, "chains" | "pools">,
): (db: Executor, clock: Clock) => Promise<void> {
  const gauge = (name: string, help: string, labelNames: readonly string[]): Gauge =>
    new Gauge({ name: `sluice_${name}`, help, labelNames: [...labelNames], registers: [registry] });
  const pending = gauge("callback_pending", "Callbacks not delivered yet", []);
  const exhausted = gauge("callback_exhausted", "Callbacks whose retries were exhausted", []);
  const oldest = gauge("callback_queue_age_seconds", "How long the oldest callback is overdue", []);
  const difference = gauge("ledger_difference_units", "Chain minus books", ["chain", "currency"]);
  const stopped = gauge("payouts_stopped", "1 where payouts are paused", ["scope", "by"]);
  const free = gauge("address_pool_free", "Addresses waiting to be issued", ["keyspace", "type"]);
  return async (db, clock) => {
    const now = clock.now();
    const [queue, differences, pauses, states] = await Promise.all([
      readCallbackQueue(db),
      readReconciliation(db),
      listPauses(db, now),
      readPools(db, pools),
    ]);
    pending.set(Number(queue.pending));
    exhausted.set(Number(queue.exhausted));
    oldest.set(
      queue.oldest_due_at === null ? 0 : Math.max(secondsBetween(queue.oldest_due_at, now), 0),
    );
    difference.reset();
    for (const row of differences) {
      difference.set(
        { chain: row.chain, currency: row.currency },
        Number(row.chain_units - row.ledger_units),
      );
    }
    stopped.reset();
    // What paused a chain that was removed from the configuration cannot end it any more, and nothing is paid there.
    const concerned = new Set(["all", ...[...chains].map((chain) => `chain/${chain}`)]);
    for (const { scope, kind } of pauses)
      if (concerned.has(scope)) stopped.set({ scope, by: kind }, 1);
    for (const { keyspace, addressType, free: count } of states)
      free.set({ keyspace, type: addressType }, Number(count));
  };
}
