import { Gauge, Registry } from "prom-client";
import type { PositionUnits } from "../../ledger/position.store.ts";
import { listPauses } from "../../payouts/controls/pause.store.ts";
import type { ClockGuard } from "../../platform/db/clock-guard.ts";
import type { Executor } from "../../platform/db/database.ts";
import { type Clock, secondsBetween } from "../../platform/kernel/clock.ts";
import { singleFlight } from "../../platform/kernel/single-flight.ts";
import {
  readNodeDoubts,
  readWaitingForOpinions,
  readWaitingOutcomes,
} from "../../reports/operations/chain.store.ts";
import {
  readCallbackQueue,
  readChainStates,
  readPools,
  readReconciliation,
  readReconciliationRuns,
} from "../../reports/operations/operations.store.ts";
import { backlogGauges } from "./backlog-gauges.ts";
import { observeProcess, type ProcessObservers } from "./observe-process.ts";
import { payoutGauges } from "./payout-gauges.ts";
import { positionGauges } from "./position-gauges.ts";
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
  positionMax: PositionUnits = new Map(),
): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const refreshRuntime = runtimeMetrics(registry, db);
  const clockAhead = new Gauge({
    name: "sluice_clock_ahead_seconds",
    help: "How far this process's clock is ahead of the database server's",
    registers,
  });
  const signer = signerMetrics(registry, clock);
  const gauges = sharedGauges(registry);
  const backlogs = backlogGauges(registry);
  const paying = payoutGauges(registry);
  const positions = positionGauges(registry, positionMax);
  const render = singleFlight(
    async () => {
      clockAhead.set(clockGuard.aheadSeconds() ?? 0);
      refreshRuntime();
      await Promise.all([
        gauges(db, clock),
        backlogs(db, clock),
        paying(db, clock),
        positions(db),
        signer.refresh(),
      ]);
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
function sharedGauges(registry: Registry): (db: Executor, clock: Clock) => Promise<void> {
  const gauge = (name: string, help: string, labelNames: readonly string[]): Gauge =>
    new Gauge({ name: `sluice_${name}`, help, labelNames: [...labelNames], registers: [registry] });
  const height = gauge("chain_height", "Newest block read", ["chain"]);
  const nodeHeight = gauge("chain_node_height", "The node's newest block", ["chain"]);
  const lag = gauge("chain_lag_blocks", "Blocks that the node has and we have not read", ["chain"]);
  const age = gauge("chain_caught_up_seconds", "Since everything the node shows was read", [
    "chain",
  ]);
  const scanned = gauge(
    "chain_scanned_blocks",
    "Blocks read so far, without those that a reorg removed",
    ["chain"],
  );
  const pending = gauge("callback_pending", "Callbacks not delivered yet", []);
  const exhausted = gauge("callback_exhausted", "Callbacks whose retries were exhausted", []);
  const oldest = gauge("callback_queue_age_seconds", "How long the oldest callback is overdue", []);
  const difference = gauge("ledger_difference_units", "Chain minus books", ["chain", "currency"]);
  const comparedAge = gauge(
    "reconciliation_age_seconds",
    "Since books and chain were last compared in every currency",
    ["chain"],
  );
  const unfinished = gauge(
    "reconciliation_unfinished",
    "1 where the newest comparison could not be completed",
    ["chain"],
  );
  const stopped = gauge("payouts_stopped", "1 where payouts are paused", ["scope", "by"]);
  const doubted = gauge("node_doubts", "1 where something is held against a node", [
    "chain",
    "node",
    "kind",
  ]);
  const waiting = gauge("second_opinion_waiting", "Transfers that another node has to confirm", [
    "chain",
  ]);
  const waitingAge = gauge(
    "second_opinion_oldest_seconds",
    "How long the oldest transfer has waited for another node",
    ["chain"],
  );
  const outcomes = gauge(
    "outcome_waiting",
    "Own transactions, deep enough, whose outcome nodes have to confirm",
    ["chain"],
  );
  const outcomesAge = gauge(
    "outcome_oldest_seconds",
    "How long the oldest of these transactions has been deep enough",
    ["chain"],
  );
  const free = gauge("address_pool_free", "Addresses waiting to be issued", ["keyspace", "type"]);
  return async (db, clock) => {
    const now = clock.now();
    const [chains, queue, differences, pauses, pools, doubts, opinions, due, runs] =
      await Promise.all([
        readChainStates(db),
        readCallbackQueue(db),
        readReconciliation(db),
        listPauses(db, now),
        readPools(db),
        readNodeDoubts(db),
        readWaitingForOpinions(db),
        readWaitingOutcomes(db),
        readReconciliationRuns(db),
      ]);
    for (const state of chains) {
      const label = { chain: state.chain };
      const own = Number(state.height ?? -1);
      const theirs = Number(state.node_height ?? own);
      height.set(label, own);
      nodeHeight.set(label, theirs);
      lag.set(label, Math.max(theirs - own, 0));
      scanned.set(label, Number(state.scanned_blocks));
      if (state.caught_up_at !== null) age.set(label, secondsBetween(state.caught_up_at, now));
    }
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
    for (const { chain, completed_at, failure } of runs) {
      if (completed_at !== null) comparedAge.set({ chain }, secondsBetween(completed_at, now));
      unfinished.set({ chain }, failure === null ? 0 : 1);
    }
    stopped.reset();
    for (const { scope, kind } of pauses) stopped.set({ scope, by: kind }, 1);
    doubted.reset();
    for (const { chain, node, kind } of doubts) doubted.set({ chain, node, kind }, 1);
    waiting.reset();
    waitingAge.reset();
    for (const { chain, count, since } of opinions) {
      waiting.set({ chain }, Number(count));
      waitingAge.set({ chain }, Math.max(secondsBetween(since, now), 0));
    }
    outcomes.reset();
    outcomesAge.reset();
    for (const { chain, count, since } of due) {
      outcomes.set({ chain }, Number(count));
      outcomesAge.set({ chain }, Math.max(secondsBetween(since, now), 0));
    }
    free.reset();
    for (const pool of pools) {
      free.set({ keyspace: pool.keyspace, type: pool.address_type }, Number(pool.free));
    }
  };
}
