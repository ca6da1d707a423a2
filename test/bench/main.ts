import { parseArgs } from "node:util";
import { Teardown } from "../../src/main/processes/teardown.ts";
import { errorMessage } from "../../src/platform/kernel/error-message.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import type { BenchSite } from "./bench-site.ts";
import { openSite } from "./bench-site.ts";
import { benchBlocks } from "./blocks.ts";
import { benchCalculations } from "./calculations.ts";
import { benchCallbacks } from "./callbacks.ts";
import { benchCatchUp } from "./catch-up.ts";
import { benchCoinSelection } from "./coin-selection.ts";
import { benchDeposits } from "./deposits.ts";
import { benchDerivations } from "./derivations.ts";
import { benchGrowth } from "./growth.ts";
import {
  compareWithLanded,
  isWorse,
  readLanded,
  renderComparisons,
  renderResults,
  type SectionResult,
  writeLanded,
} from "./landed.ts";
import { benchMigrations } from "./migrations.ts";
import {
  benchStellarDeposits,
  benchStellarPayouts,
  benchTonDeposits,
  benchTonPayouts,
  benchXrpDeposits,
  benchXrpPayouts,
} from "./one-account.ts";
import { isMachineLoaded } from "./other-load.ts";
import { benchPageSpeed } from "./page-speed.ts";
import { benchPaymentFlood } from "./payment-flood.ts";
import { benchPaymentPages } from "./payment-pages.ts";
import { benchPayoutGas } from "./payout-gas.ts";
import { benchPipeline } from "./payout-pipeline.ts";
import { benchPayouts } from "./payouts.ts";
import { benchProcesses } from "./processes.ts";
import { benchReads } from "./reads.ts";
import { describeMachine, type Finding } from "./report.ts";
import { benchStatistics } from "./statistics.ts";
import { benchSweepGas } from "./sweep-gas.ts";
import { benchSweeps } from "./sweeps.ts";
import { benchTronSweeps } from "./tron-sweeps.ts";

/*
 * `npm run bench [-- --only deposits,reads] [--record]`: measures the product against baselines of the same run, and prints one table with the
 * landed figures next to the new ones. `--record` makes the new figures the landed ones. The exit status is 1 if a section failed, or a
 * figure lost more than a fifth.
 */

const sections: Readonly<Record<string, (site: BenchSite) => Promise<readonly Finding[]>>> = {
  deposits: benchDeposits,
  reads: benchReads,
  statistics: benchStatistics,
  growth: benchGrowth,
  migrations: benchMigrations,
  blocks: benchBlocks,
  flood: benchPaymentFlood,
  "catch-up": benchCatchUp,
  derivations: benchDerivations,
  callbacks: benchCallbacks,
  pages: benchPaymentPages,
  "page-speed": benchPageSpeed,
  payouts: benchPayouts,
  pipeline: benchPipeline,
  calculations: benchCalculations,
  sweeps: benchSweeps,
  processes: benchProcesses,
  "coin-selection": benchCoinSelection,
  gas: benchPayoutGas,
  "sweep-gas": benchSweepGas,
  "tron-sweeps": benchTronSweeps,
  "xrp-payouts": benchXrpPayouts,
  "xlm-payouts": benchStellarPayouts,
  "xrp-deposits": benchXrpDeposits,
  "xlm-deposits": benchStellarDeposits,
  "ton-payouts": benchTonPayouts,
  "ton-deposits": benchTonDeposits,
};

/** A section that hangs must not keep the others from running. */
const sectionSecondsMax = 2_400;

const usage = `npm run bench [-- --only SECTION,...] [--record]

--only    sections: ${Object.keys(sections).join(", ")} (default: all)
--record  makes the new figures the landed ones (test/bench/landed.json)

BENCH_PROFILE=FOLDER writes CPU profiles of the api and the worker. docs/benchmarks.md explains the figures.`;
const { values } = parseArgs({
  options: {
    only: { type: "string" },
    record: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}
const wanted = values.only?.split(",") ?? Object.keys(sections);
const unknown = wanted.filter((name) => !Object.hasOwn(sections, name));
if (unknown.length > 0)
  throw new Error(`no section ${unknown.join()}; choose from ${Object.keys(sections).join()}`);

const landed = readLanded();
const site = await openSite();
const end = (): void => {
  void site.teardown.run().then(() => process.exit(130));
};
process.once("SIGINT", end).once("SIGTERM", end);
const results: SectionResult[] = [];
try {
  for (const name of wanted) {
    const machine = describeMachine();
    console.error(`${name} (${machine})`);
    const result = await measureSection(name, machine);
    console.error(result.failure ?? renderComparisons(compareWithLanded(landed, result)));
    results.push(result);
  }
} finally {
  await site.teardown.run();
}
console.log(renderResults(landed, results));
if (values.record) writeLanded(results);
// A section that was given up may still hold something open.
process.exit(isWorse(landed, results) ? 1 : 0);

async function measureSection(name: string, machine: string): Promise<SectionResult> {
  const isLoadedBefore = await isMachineLoaded();
  try {
    const findings = await runSection(name);
    const isLoaded = isLoadedBefore || (await isMachineLoaded());
    return { name, machine, isLoaded, findings, failure: null };
  } catch (error) {
    return { name, machine, isLoaded: isLoadedBefore, findings: [], failure: errorMessage(error) };
  }
}

/** Runs a section and stops what it started. */
async function runSection(name: string): Promise<readonly Finding[]> {
  const teardown = new Teardown(silentLogger);
  site.teardown.add(name, () => teardown.run());
  const isOver = new AbortController();
  try {
    return await Promise.race([
      sections[name]?.({ ...site, teardown }) ?? [],
      systemClock.sleep(sectionSecondsMax * 1000, isOver.signal).then(() => {
        throw new Error(`not finished after ${sectionSecondsMax} s`);
      }),
    ]);
  } finally {
    isOver.abort();
    await teardown.run();
  }
}
