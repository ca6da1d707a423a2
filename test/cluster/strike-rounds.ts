import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import type { SeenCall } from "../chaos/api-client.ts";
import type { Choices } from "../chaos/seeded-choices.ts";
import { type ClusterFault, clusterFaults } from "./cluster-faults.ts";
import { secondsAway, wrongAnswers } from "./outage.ts";
import type { RunningCluster } from "./running-cluster.ts";

/** What clients saw of one fault. */
export type Round = {
  readonly fault: string;
  readonly secondsAway: number;
  /** Until another server led, as Patroni says; 0 where none was to. */
  readonly failoverSeconds: number;
  readonly faults: readonly string[];
};

export type RoundsOptions = {
  /** Of each fault. */
  readonly rounds: number;
  readonly names: readonly string[];
  readonly calls: SeenCall[];
  readonly choices: Choices;
  readonly print: (line: string) => void;
};

/** The promise of the operations guide, beyond Patroni's own time. */
const allowanceSeconds = 5;
/** Beyond it a failover has failed. */
const promotionPatienceMs = 90_000;
const wholePatienceMs = 180_000;
/** How long a fault lasts where no server is to take over, and how long it lasts after one did. */
const lastsMs = 8_000;
const calmMs = 3_000;
const pollMs = 100;

/** Strikes with each fault that often, in random order, and waits until the cluster is whole before the next. */
export async function strikeRounds(
  cluster: RunningCluster,
  { rounds, names, calls, choices, print }: RoundsOptions,
  signal: AbortSignal,
): Promise<readonly Round[]> {
  const due = clusterFaults
    .filter(({ name }) => names.includes(name))
    .flatMap((fault) => Array<ClusterFault>(rounds).fill(fault));
  const done: Round[] = [];
  while (due.length > 0 && !signal.aborted) {
    const [fault] = due.splice(choices.integer(0, due.length - 1), 1) as [ClusterFault];
    const from = calls.length;
    const round = await strike(cluster, fault, () => calls.slice(from), signal);
    done.push(round);
    print(
      `${done.length}. ${round.fault}: ${round.secondsAway.toFixed(1)} s, failover ${round.failoverSeconds.toFixed(1)} s, ` +
        `${calls.length - from} calls${round.faults.map((one) => `\n     ${one}`).join("")}`,
    );
  }
  return done;
}

async function strike(
  cluster: RunningCluster,
  { name, promotes, strike: hit }: ClusterFault,
  seen: () => readonly SeenCall[],
  signal: AbortSignal,
): Promise<Round> {
  const before = Math.max(...(await cluster.servers()).map(({ timeline }) => timeline));
  const fromMs = performance.now();
  const undo = await hit(await cluster.read());
  const faults: string[] = [];
  let failoverSeconds = 0;
  try {
    if (promotes) {
      await untilPromoted(cluster, before, signal);
      failoverSeconds = (performance.now() - fromMs) / 1000;
    }
    await systemClock.sleep(lastsMs, signal);
  } finally {
    await undo();
  }
  await cluster.untilWhole(wholePatienceMs, signal);
  await systemClock.sleep(calmMs, signal);
  const calls = seen();
  const away = secondsAway(calls, { fromMs, toMs: performance.now() });
  if (away > failoverSeconds + allowanceSeconds)
    faults.push(`away for ${away.toFixed(1)} s, failover ${failoverSeconds.toFixed(1)} s`);
  faults.push(...wrongAnswers(calls));
  return { fault: name, secondsAway: away, failoverSeconds, faults };
}

async function untilPromoted(
  cluster: RunningCluster,
  timelineBefore: number,
  signal: AbortSignal,
): Promise<void> {
  const giveUpMs = performance.now() + promotionPatienceMs;
  for (;;) {
    const states = await cluster.servers();
    if (states.some(({ role, timeline }) => role === "primary" && timeline > timelineBefore))
      return;
    if (performance.now() > giveUpMs) throw new Error("no server took over");
    await systemClock.sleep(pollMs, signal);
    signal.throwIfAborted();
  }
}

/** The table of the operations guide. `lost` and `doubled`: over the whole run, which nothing is known of per round. */
export function roundsTable(rounds: readonly Round[]): string {
  const rows = [...Map.groupBy(rounds, ({ fault }) => fault)].map(([fault, own]) => {
    const seconds = own.map(({ secondsAway: away }) => away).toSorted((a, b) => a - b);
    const failovers = own.map(({ failoverSeconds }) => failoverSeconds);
    const median = seconds[Math.floor((seconds.length - 1) / 2)] ?? 0;
    const cells = [median, seconds.at(-1) ?? 0, Math.max(...failovers)];
    return `| ${[fault, own.length, ...cells.map((cell) => cell.toFixed(1))].join(" | ")} |`;
  });
  return [
    "| Fault | Rounds | Seconds, median | Seconds, longest | Patroni's failover, longest |",
    "|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}
