import { parseArgs } from "node:util";
import { Teardown } from "../../src/main/processes/teardown.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import type { BenchSite } from "./bench-site.ts";
import { openSite } from "./bench-site.ts";
import { benchBlocks } from "./blocks.ts";
import { benchCalculations } from "./calculations.ts";
import { benchCallbacks } from "./callbacks.ts";
import { benchCatchUp } from "./catch-up.ts";
import { benchDeposits } from "./deposits.ts";
import { benchDerivations } from "./derivations.ts";
import {
  benchSharedDeposits,
  benchStellarPayouts,
  benchTonDeposits,
  benchTonPayouts,
  benchXrpPayouts,
} from "./one-account.ts";
import { benchPageSpeed } from "./page-speed.ts";
import { benchPaymentFlood } from "./payment-flood.ts";
import { benchPaymentPages } from "./payment-pages.ts";
import { benchPipeline } from "./payout-pipeline.ts";
import { benchPayouts } from "./payouts.ts";
import { benchProcesses } from "./processes.ts";
import { benchReads } from "./reads.ts";
import { describeMachine, type Finding, renderFindings } from "./report.ts";
import { benchStatistics } from "./statistics.ts";
import { benchSweepGas } from "./sweep-gas.ts";
import { benchSweeps } from "./sweeps.ts";
import { benchTronSweeps } from "./tron-sweeps.ts";

/* `npm run bench [-- --only deposits,reads]`: measures the product against baselines in the same run and prints the table. */

const sections: Readonly<Record<string, (site: BenchSite) => Promise<readonly Finding[]>>> = {
  deposits: benchDeposits,
  reads: benchReads,
  statistics: benchStatistics,
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
  "sweep-gas": benchSweepGas,
  "tron-sweeps": benchTronSweeps,
  "xrp-payouts": benchXrpPayouts,
  "xlm-payouts": benchStellarPayouts,
  "shared-deposits": benchSharedDeposits,
  "ton-payouts": benchTonPayouts,
  "ton-deposits": benchTonDeposits,
};

const { values } = parseArgs({ options: { only: { type: "string" } } });
const wanted = values.only?.split(",") ?? Object.keys(sections);
const unknown = wanted.filter((name) => !Object.hasOwn(sections, name));
if (unknown.length > 0)
  throw new Error(`no section ${unknown.join()}; choose from ${Object.keys(sections).join()}`);

const site = await openSite();
const end = (): void => {
  void site.teardown.run().then(() => process.exit(130));
};
process.once("SIGINT", end).once("SIGTERM", end);
try {
  const findings: Finding[] = [];
  for (const name of wanted) {
    console.error(`${name} (${describeMachine()})`);
    const found = await runSection(name);
    console.error(renderFindings(found));
    findings.push(...found);
  }
  console.log(`${describeMachine()}\n\n${renderFindings(findings)}`);
} finally {
  await site.teardown.run();
}

/** Runs a section and stops what it started. */
async function runSection(name: string): Promise<readonly Finding[]> {
  const teardown = new Teardown(silentLogger);
  site.teardown.add(name, () => teardown.run());
  try {
    return (await sections[name]?.({ ...site, teardown })) ?? [];
  } finally {
    await teardown.run();
  }
}
