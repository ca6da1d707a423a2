import { startDeployment } from "./deployment.ts";
import { killAndRestart } from "./killer.ts";
import type { ChaosOptions } from "./options.ts";
import { type LoadReport, runUnderLoad } from "./run-under-load.ts";
import { seededChoices } from "./seeded-choices.ts";

/**
 * Runs a whole deployment under load, kills its parts at random and restarts them, and checks it (`runUnderLoad`). Aborting `signal`
 * ends the killing; everything started is stopped in any case.
 */
export async function runChaos(options: ChaosOptions, signal: AbortSignal): Promise<LoadReport> {
  const { print, seed } = options;
  print(`Chaos with seed ${seed}: ${options.rounds} rounds of ${options.kinds.join(", ")}`);
  const deployment = await startDeployment(options);
  const kill = async () => ({
    kills: await killAndRestart(options, deployment, seededChoices(seed), signal),
    findings: [],
  });
  return runUnderLoad(options, deployment, kill, signal);
}
