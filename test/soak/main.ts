import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { describeMachine } from "../bench/report.ts";
import { listOf, randomSeed, readCount } from "../support/run-in-folder.ts";
import { type SoakKind, soakKinds } from "./kinds.ts";
import { readRun, type SoakRun } from "./read-run.ts";
import { renderReport, type SoakReport } from "./render-report.ts";
import { interruptedCode, runCommand } from "./run-command.ts";
import { soak } from "./soak.ts";

/*
 * `npm run soak -- --hours 8 --only value,chaos --from 1`: random histories, and deployments under load and faults, until the time is
 * up. Writes a report after each run; exits with 1 if something failed, with 130 if it was interrupted before.
 */

function readHours(text: string): number {
  const hours = Number(text);
  if (hours > 0 && hours <= 10_000) return hours;
  throw new InvalidArgumentError("hours above 0; 0.05 are three minutes");
}

const { only, from, report, ...options } = new Command("soak")
  .requiredOption("--hours <number>", "until the last run begins", readHours)
  .option("--only <list>", `some of ${soakKinds.join(", ")}`, listOf(soakKinds), soakKinds)
  .option("--from <seed>", "the first seed of each; default: random", readCount)
  .option("--histories <count>", "histories of a run", readCount, 50)
  .option("--rounds <count>", "faults of each kind for one deployment", readCount, 2)
  .option("--report <folder>", "default: a new one in test-results")
  .parse()
  .opts<{
    readonly hours: number;
    readonly only: readonly SoakKind[];
    readonly from?: number;
    readonly histories: number;
    readonly rounds: number;
    readonly report?: string;
  }>();

const startedAt = systemClock.now();
const startedIso = new Date(startedAt / 1_000).toISOString().slice(0, 19);
const root = join(import.meta.dirname, "../..");
const folder = report ?? join(root, "test-results", `soak-${startedIso.replaceAll(":", "")}`);
await mkdir(folder, { recursive: true });

const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const)
  process.on(name, () => {
    console.log(`Stopping for ${name}`);
    stop.abort();
  });

const machine = describeMachine();
const runs: SoakRun[] = [];
await soak(
  { ...options, kinds: only, from: from ?? randomSeed() },
  {
    clock: systemClock,
    signal: stop.signal,
    play: async (plan) => {
      console.log(`${plan.kind} from seed ${plan.from} begins`);
      const begunAt = systemClock.now();
      const end = await runCommand(plan, stop.signal);
      const run = readRun(plan, end, secondsSince(begunAt));
      if (run.failure !== null)
        await writeFile(join(folder, `${plan.kind}-${plan.from}.log`), end.output);
      runs.push(run);
      console.log(describe(run));
      await writeReport("running");
      return run;
    },
  },
);
await writeReport(stop.signal.aborted ? "interrupted" : "finished");
console.log(`Report: ${join(folder, "report.md")}`);
const failed = runs.some(({ failure }) => failure !== null);
process.exitCode = failed ? 1 : stop.signal.aborted ? interruptedCode : 0;

async function writeReport(state: SoakReport["state"]): Promise<void> {
  const written = {
    startedAt: startedIso,
    machine,
    hours: options.hours,
    seconds: secondsSince(startedAt),
    state,
    runs,
  };
  await writeFile(join(folder, "report.json"), `${JSON.stringify(written, null, 2)}\n`);
  await writeFile(join(folder, "report.md"), renderReport(written));
}

function secondsSince(at: number): number {
  return Math.round((systemClock.now() - at) / 1_000_000);
}

function describe({ kind, from: seed, held, seconds, failure }: SoakRun): string {
  const verdict =
    failure === null ? `${held} held` : `FAILED ${failure.reason}\n  ${failure.repeat}`;
  return `${kind} from seed ${seed}, ${seconds} s: ${verdict}`;
}
