import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { type Deployment, type Release, startDeployment } from "../chaos/deployment.ts";
import type { Finding } from "../chaos/finding.ts";
import type { ChaosOptions } from "../chaos/options.ts";
import type { PreparedSite } from "../chaos/prepare-site.ts";
import { ownProgram } from "../chaos/program-part.ts";
import { type LoadReport, type Progress, runUnderLoad } from "../chaos/run-under-load.ts";
import { slowest } from "../support/patience.ts";
import { checkOutRelease } from "./check-out-release.ts";

export type UpgradeOptions = Pick<
  ChaosOptions,
  "chains" | "seed" | "folder" | "healSeconds" | "print"
> & {
  /** The commit of the release that runs first. */
  readonly from: string;
  /** How long the load lasts in each stage. */
  readonly seconds: number;
};

const run = promisify(execFile);

/** Far longer than a restart: a stage that acknowledges nothing for so long does not serve its clients. */
const stageLimitSeconds = 60 * slowest;
const pauseMs = 200;

/**
 * The order of the operations guide, upgrade and way back; between two steps the load goes on for a while. The first step restarts a
 * process of the earlier release on the new schema, as after a crash.
 */
const steps: readonly { readonly name: string; readonly release: "previous" | "new" }[] = [
  { name: "worker-1", release: "previous" },
  { name: "signer", release: "new" },
  { name: "worker-2", release: "new" },
  { name: "worker-1", release: "new" },
  { name: "api", release: "new" },
  { name: "api", release: "previous" },
  { name: "worker-1", release: "previous" },
  { name: "worker-2", release: "previous" },
  { name: "signer", release: "previous" },
];

/**
 * Runs a deployment of an earlier release under load, migrates its database with the new program while it works, replaces its
 * processes one after the other, goes back to the earlier release in the same way, and checks that nothing was lost, done twice or
 * refused.
 */
export async function runUpgrade(
  options: UpgradeOptions,
  signal: AbortSignal,
): Promise<LoadReport> {
  const { folder, from, seconds, print } = options;
  const previous = join(folder, "previous");
  await checkOutRelease(from, previous);
  const previousProgram = join(previous, "src/main/cli.ts");
  const programs = new Map<string, string>();
  const release: Release = {
    programOf: (name) => programs.get(name) ?? previousProgram,
    prepare: async (site) => {
      const program = join(previous, "test/upgrade/prepare-process.ts");
      const { stdout } = await run(process.execPath, [program, JSON.stringify(site)]);
      return JSON.parse(stdout) as PreparedSite;
    },
  };
  print(`Upgrade from ${from}, ${seconds} s of load in each of ${steps.length + 2} stages`);
  const deployment = await startDeployment({ ...options, release });
  const upgrade = async (_: Deployment, progress: Progress) => {
    const stages: Stage[] = [];
    const work = async (name: string): Promise<void> => {
      const stage = { name, ...(await loadFor(seconds, progress, signal)) };
      stages.push(stage);
      print(`${name}: ${stage.deposits} deposits and ${stage.payouts} payouts acknowledged`);
    };
    await work("previous release");
    const migrations = await migrate(deployment.configFile);
    await work(`previous release after ${migrations} migrations`);
    for (const step of steps) {
      programs.set(step.name, step.release === "new" ? ownProgram : previousProgram);
      await restart(deployment, step.name);
      await work(`${step.name} restarted with the ${step.release} release`);
    }
    return { kills: [], findings: [ofStages(stages)] };
  };
  return runUnderLoad(options, deployment, upgrade, signal);
}

type Stage = { readonly name: string } & ReturnType<Progress>;

/**
 * Lets the load go on for `seconds`, and then until a deposit and a payout are acknowledged, for at most `stageLimitSeconds`: on a slow
 * machine a client may need longer than the stage to connect again. Resolves with what was acknowledged.
 */
async function loadFor(
  seconds: number,
  progress: Progress,
  signal: AbortSignal,
): Promise<ReturnType<Progress>> {
  const before = progress();
  const since = () => {
    const { deposits, payouts } = progress();
    return { deposits: deposits - before.deposits, payouts: payouts - before.payouts };
  };
  const giveUpAt = systemClock.now() + stageLimitSeconds * 1_000_000;
  await systemClock.sleep(seconds * 1_000, signal);
  for (;;) {
    const stage = since();
    const isServed = stage.deposits > 0 && stage.payouts > 0;
    if (isServed || systemClock.now() > giveUpAt) return stage;
    await systemClock.sleep(pauseMs, signal);
  }
}

/** Migrates with this release's program; returns how many migrations it applied. */
async function migrate(configFile: string): Promise<number> {
  const { stdout } = await run(process.execPath, [ownProgram, "migrate", "--config", configFile]);
  return [...stdout.matchAll(/\b\d{4}_\w+/g)].length;
}

/** As a supervisor does it: SIGTERM, and a start when the process has ended. */
async function restart({ parts }: Deployment, name: string): Promise<void> {
  const part = parts.find((each) => each.name === name);
  if (part === undefined) throw new Error(`no part ${name}`);
  await part.stop();
  await part.start();
}

function ofStages(stages: readonly Stage[]): Finding {
  return {
    invariant: "deposits and payouts are acknowledged in each stage of the upgrade",
    checked: stages.length,
    faults: stages
      .filter(({ deposits, payouts }) => deposits === 0 || payouts === 0)
      .map(({ name, deposits, payouts }) => `${name}: ${deposits} deposits, ${payouts} payouts`),
  };
}
