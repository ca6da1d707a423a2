import { startDeployment } from "./deployment.ts";
import type { ChaosOptions } from "./options.ts";
import { type LoadReport, runUnderLoad } from "./run-under-load.ts";
import { seededChoices } from "./seeded-choices.ts";
import { strikeAndRestore } from "./strike.ts";

/**
 * Runs a whole deployment under load, strikes it with faults at random, and checks it (`runUnderLoad`). Aborting `signal` ends
 * the faults; everything started is stopped in any case.
 */
export async function runChaos(options: ChaosOptions, signal: AbortSignal): Promise<LoadReport> {
  const { print, seed } = options;
  print(`Chaos with seed ${seed}: ${options.rounds} rounds of ${options.kinds.join(", ")}`);
  const deployment = await startDeployment({
    ...options,
    hasRelays: options.kinds.includes("network"),
  });
  const strike = async () => ({
    kills: await strikeAndRestore(options, deployment, seededChoices(seed), signal),
    findings: [],
  });
  return runUnderLoad(options, deployment, strike, signal);
}
