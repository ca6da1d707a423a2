import { releaseMemoryWhenQuiet } from "../../platform/processes/release-memory.ts";
import { readApprovalKeyFiles } from "../build/approval-keys.ts";
import { processWorld } from "../build/process-world.ts";
import { signerSettings } from "../build/signer-settings.ts";
import { readConfig } from "../config/read-config.ts";
import { runSigner } from "./run-signer.ts";
import { untilSignal } from "./until-signal.ts";

/**
 * `sluice signer`: holds the keys until a signal arrives. Rejects when it has to be started again (see `RunningSigner.ended`), which
 * its supervisor does.
 */
export async function runSignerProcess(configFile: string): Promise<void> {
  const config = await readConfig(configFile);
  const world = processWorld(config);
  const approvalKeys = await readApprovalKeyFiles(config);
  const signer = await runSigner(signerSettings(config, null, { approvalKeys }), world);
  world.logger.info("signer is listening", { socket: signer.socketPath });
  const stop = new AbortController();
  const releasing = releaseMemoryWhenQuiet(world, stop.signal);
  const reason = await Promise.race([untilSignal().then(() => null), signer.ended]);
  stop.abort();
  await releasing;
  await signer.close();
  if (reason !== null) throw new Error(`the signer has to be started again: ${reason}`);
}
