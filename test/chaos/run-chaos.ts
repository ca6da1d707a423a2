import { startDeployment } from "./deployment.ts";
import { findFakeClock } from "./fake-clock.ts";
import { canLimitFiles } from "./limit-files.ts";
import type { ChaosOptions, FaultKind } from "./options.ts";
import { type LoadReport, runUnderLoad } from "./run-under-load.ts";
import { seededChoices } from "./seeded-choices.ts";
import type { Shape } from "./shape.ts";
import { canMount } from "./small-disk.ts";
import { strikeAndRestore } from "./strike.ts";

/**
 * Runs a whole deployment under load, strikes it with faults at random, and checks it (`runUnderLoad`). Aborting `signal` ends
 * the faults; everything started is stopped in any case.
 */
export async function runChaos(
  given: ChaosOptions & { readonly shape: Shape },
  signal: AbortSignal,
): Promise<LoadReport> {
  const machine = {
    clockLibrary: findFakeClock(),
    mounts: given.kinds.includes("disk") && (await canMount(given.folder)),
  };
  const options = { ...given, kinds: await possibleKinds(given, machine) };
  const { kinds, print, seed, shape } = options;
  print(`Chaos with seed ${seed}: ${options.rounds} rounds of ${kinds.join(", ")}`);
  print(describeShape(shape));
  if (kinds.includes("disk")) print(`Disks are full ${machine.mounts ? fullWith : seemFullWith}`);
  const deployment = await startDeployment({
    ...options,
    clockLibrary: kinds.includes("clock") ? machine.clockLibrary : null,
    hasRelays: kinds.includes("network"),
    hasSmallDisks: machine.mounts,
  });
  const strike = async () => ({
    kills: await strikeAndRestore(options, deployment, seededChoices(seed), signal),
    findings: [],
  });
  return runUnderLoad(options, deployment, strike, signal);
}

const fullWith = "in fact (ENOSPC): each is a small file system of its own";
const seemFullWith =
  "by a limit on the length of files (EFBIG), since no file system can be mounted here";

function describeShape({ apis, workers, etcd }: Shape): string {
  const signers = etcd === null ? "1 signer" : "2 signers with a witness";
  return `${apis} api processes, ${workers} workers, ${signers}`;
}

/** The kinds that this machine can do; says which ones it can't. */
async function possibleKinds(
  { kinds, print, shape }: ChaosOptions & { readonly shape: Shape },
  { clockLibrary, mounts }: { readonly clockLibrary: string | null; readonly mounts: boolean },
): Promise<readonly FaultKind[]> {
  const fillsDisks = mounts || (await canLimitFiles());
  const missing: Partial<Record<FaultKind, string>> = {
    ...(shape.etcd === null ? { witness: "one signer has none" } : {}),
    ...(clockLibrary === null ? { clock: "libfaketime is not installed" } : {}),
    ...(fillsDisks ? {} : { disk: "nothing can be mounted, and prlimit is not installed" }),
  };
  return kinds.filter((kind) => {
    const reason = missing[kind];
    if (reason !== undefined) print(`Without ${kind}: ${reason}`);
    return reason === undefined;
  });
}
