import { Gauge, type Registry } from "prom-client";
import type { Executor } from "../../platform/db/database.ts";
import { type Clock, type Instant, secondsBetween } from "../../platform/kernel/clock.ts";
import {
  readNodeDoubts,
  readWaitingForOpinions,
  readWaitingOutcomes,
} from "../../reports/operations/chain.store.ts";
import {
  readChainStates,
  readReconciliationRuns,
} from "../../reports/operations/operations.store.ts";

/**
 * Gauges of the deployment's chains, from the shared database; rows of other chains, which were removed from the configuration, are
 * left out. A chain that was never read to its tip, or never compared, has waited for it at least since the process's start.
 */
export function chainGauges(
  registry: Registry,
  chains: ReadonlySet<string>,
  startedAt: Instant,
): (db: Executor, clock: Clock) => Promise<void> {
  const refreshes = [
    followingGauges(registry, chains, startedAt),
    reconciliationGauges(registry, chains, startedAt),
    nodeGauges(registry, chains),
  ];
  return async (db, clock) => {
    await Promise.all(refreshes.map((refresh) => refresh(db, clock)));
  };
}

function gaugeIn(registry: Registry, name: string, help: string, labelNames = ["chain"]): Gauge {
  return new Gauge({ name: `sluice_${name}`, help, labelNames, registers: [registry] });
}

function followingGauges(
  registry: Registry,
  chains: ReadonlySet<string>,
  startedAt: Instant,
): (db: Executor, clock: Clock) => Promise<void> {
  const height = gaugeIn(registry, "chain_height", "Newest block read");
  const nodeHeight = gaugeIn(registry, "chain_node_height", "The node's newest block");
  const lag = gaugeIn(
    registry,
    "chain_lag_blocks",
    "Blocks that the node has and we have not read",
  );
  const age = gaugeIn(
    registry,
    "chain_caught_up_seconds",
    "Since everything the node shows was read",
  );
  const scanned = gaugeIn(
    registry,
    "chain_scanned_blocks",
    "Blocks read so far, without those that a reorg removed",
  );
  return async (db, clock) => {
    const states = new Map((await readChainStates(db)).map((state) => [state.chain, state]));
    const now = clock.now();
    for (const chain of chains) {
      const state = states.get(chain);
      age.set({ chain }, secondsBetween(state?.caught_up_at ?? startedAt, now));
      if (state === undefined) continue;
      const own = Number(state.height ?? -1);
      const theirs = Number(state.node_height ?? own);
      height.set({ chain }, own);
      nodeHeight.set({ chain }, theirs);
      lag.set({ chain }, Math.max(theirs - own, 0));
      scanned.set({ chain }, Number(state.scanned_blocks));
    }
  };
}

function reconciliationGauges(
  registry: Registry,
  chains: ReadonlySet<string>,
  startedAt: Instant,
): (db: Executor, clock: Clock) => Promise<void> {
  const comparedAge = gaugeIn(
    registry,
    "reconciliation_age_seconds",
    "Since books and chain were last compared in every currency",
  );
  const unfinished = gaugeIn(
    registry,
    "reconciliation_unfinished",
    "1 where the newest comparison could not be completed",
  );
  return async (db, clock) => {
    const runs = new Map((await readReconciliationRuns(db)).map((run) => [run.chain, run]));
    const now = clock.now();
    for (const chain of chains) {
      const run = runs.get(chain);
      comparedAge.set({ chain }, secondsBetween(run?.completed_at ?? startedAt, now));
      if (run !== undefined) unfinished.set({ chain }, run.failure === null ? 0 : 1);
    }
  };
}

function nodeGauges(
  registry: Registry,
  chains: ReadonlySet<string>,
): (db: Executor, clock: Clock) => Promise<void> {
  const doubted = gaugeIn(registry, "node_doubts", "1 where something is held against a node", [
    "chain",
    "node",
    "kind",
  ]);
  const waiting = gaugeIn(
    registry,
    "second_opinion_waiting",
    "Transfers that another node has to confirm",
  );
  const waitingAge = gaugeIn(
    registry,
    "second_opinion_oldest_seconds",
    "How long the oldest transfer has waited for another node",
  );
  const outcomes = gaugeIn(
    registry,
    "outcome_waiting",
    "Own transactions, deep enough, whose outcome nodes have to confirm",
  );
  const outcomesAge = gaugeIn(
    registry,
    "outcome_oldest_seconds",
    "How long the oldest of these transactions has been deep enough",
  );
  return async (db, clock) => {
    const [doubts, opinions, due] = await Promise.all([
      readNodeDoubts(db),
      readWaitingForOpinions(db),
      readWaitingOutcomes(db),
    ]);
    const now = clock.now();
    for (const metric of [doubted, waiting, waitingAge, outcomes, outcomesAge]) metric.reset();
    for (const { chain, node, kind } of doubts)
      if (chains.has(chain)) doubted.set({ chain, node, kind }, 1);
    for (const { chain, count, since } of opinions) {
      if (!chains.has(chain)) continue;
      waiting.set({ chain }, Number(count));
      waitingAge.set({ chain }, Math.max(secondsBetween(since, now), 0));
    }
    for (const { chain, count, since } of due) {
      if (!chains.has(chain)) continue;
      outcomes.set({ chain }, Number(count));
      outcomesAge.set({ chain }, Math.max(secondsBetween(since, now), 0));
    }
  };
}
