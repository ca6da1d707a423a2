import { readApprovalKeyFiles } from "../build/approval-keys.ts";
import { processWorld } from "../build/process-world.ts";
import { signerSettings } from "../build/signer-settings.ts";
import { readConfig } from "../config/read-config.ts";
import { runSigner } from "./run-signer.ts";
import { untilSignal } from "./until-signal.ts";

/** `sluice signer`: holds the keys until a signal arrives. */
export async function runSignerProcess(configFile: string): Promise<void> {
  const config = await readConfig(configFile);
  const world = processWorld(config);
  const approvalKeys = await readApprovalKeyFiles(config);
  const signer = await runSigner(signerSettings(config, null, { approvalKeys }), world);
  world.logger.info("signer is listening", { socket: signer.socketPath });
  await untilSignal();
  await signer.close();
}
