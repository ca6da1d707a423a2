import { keyTrees } from "../../src/main/families/families.ts";
import { type RunningSigner, runSigner } from "../../src/main/processes/run-signer.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import type { DeploymentFiles } from "./command-line.ts";

/** Runs the signer of a deployment in this process. Creates its keystore, whose key is derived at little cost, if there is none. */
export function runDeploymentSigner({
  signerFolder,
  passphraseFile,
}: Pick<DeploymentFiles, "signerFolder" | "passphraseFile">): Promise<RunningSigner> {
  return runSigner(
    {
      folder: signerFolder,
      network: "test",
      keyTrees: keyTrees(),
      createWithCost: { memoryKib: 64, passes: 1, threads: 1 },
      passphrase: { kind: "file", path: passphraseFile },
    },
    { random: systemRandom, logger: silentLogger, clock: systemClock },
  );
}
