import { readApprovalKeyFiles } from "./approval-keys.ts";
import { readConfig } from "./config/read-config.ts";
import { processWorld } from "./process-world.ts";
import { runSigner } from "./run-signer.ts";
import { signerSettings } from "./signer-settings.ts";
import { untilSignal } from "./until-signal.ts";

/** `sluice signer`: holds the keys until a signal comes. */
export async function runSignerProcess(configFile: string): Promise<void> {
  const config = await readConfig(configFile);
  const world = processWorld(config);
  const approvalKeys = await readApprovalKeyFiles(config);
  const signer = await runSigner(signerSettings(config, null, { approvalKeys }), world);
  world.logger.info("signer is listening", { socket: signer.socketPath });
  await untilSignal();
  await signer.close();
}
