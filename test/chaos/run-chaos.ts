import { startDeployment } from "./deployment.ts";
import { findFakeClock } from "./fake-clock.ts";
import { canLimitFiles } from "./limit-files.ts";
import type { ChaosOptions, FaultKind } from "./options.ts";
import { type LoadReport, runUnderLoad } from "./run-under-load.ts";
import { seededChoices } from "./seeded-choices.ts";
import { strikeAndRestore } from "./strike.ts";

/**
 * Runs a whole deployment under load, strikes it with faults at random, and checks it (`runUnderLoad`). Aborting `signal` ends
 * the faults; everything started is stopped in any case.
 */
export async function runChaos(given: ChaosOptions, signal: AbortSignal): Promise<LoadReport> {
  const clockLibrary = findFakeClock();
  const options = { ...given, kinds: await possibleKinds(given, clockLibrary) };
  const { kinds, print, seed } = options;
  print(`Chaos with seed ${seed}: ${options.rounds} rounds of ${kinds.join(", ")}`);
  const deployment = await startDeployment({
    ...options,
    clockLibrary: kinds.includes("clock") ? clockLibrary : null,
    hasRelays: kinds.includes("network"),
  });
  const strike = async () => ({
    kills: await strikeAndRestore(options, deployment, seededChoices(seed), signal),
    findings: [],
  });
  return runUnderLoad(options, deployment, strike, signal);
}

/** The kinds that this machine can do; says which ones it can't. */
async function possibleKinds(
  { kinds, print }: ChaosOptions,
  clockLibrary: string | null,
): Promise<readonly FaultKind[]> {
  const missing: Partial<Record<FaultKind, string>> = {
    ...(clockLibrary === null ? { clock: "libfaketime is not installed" } : {}),
    ...((await canLimitFiles()) ? {} : { disk: "prlimit is not installed" }),
  };
  return kinds.filter((kind) => {
    const reason = missing[kind];
    if (reason !== undefined) print(`Without ${kind}: ${reason}`);
    return reason === undefined;
  });
}
