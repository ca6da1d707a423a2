import { migrate } from "../../platform/db/migrate.ts";
import { readApprovalKeyFiles } from "../build/approval-keys.ts";
import { buildApi } from "../build/build-api.ts";
import { connectSigner } from "../build/connect-signer.ts";
import { processWorld } from "../build/process-world.ts";
import { signerSettings } from "../build/signer-settings.ts";
import { readConfig } from "../config/read-config.ts";
import { runWorker } from "./run-worker.ts";
import { startProcess } from "./start-process.ts";
import { startSigner } from "./start-signer.ts";
import { supervise } from "./supervise.ts";
import { Teardown } from "./teardown.ts";
import { untilSignal } from "./until-signal.ts";

/**
 * `sluice start` with a configuration file: runs api and worker in this process and the signer as its child, which it starts again
 * when it ends, until a signal arrives or a part fails. Migrates the database first. Further processes (`sluice api`,
 * `sluice worker`) may run beside it.
 */
export async function runDeploymentProcess(configFile: string): Promise<void> {
  const config = await readConfig(configFile);
  const world = processWorld(config);
  const { clock, logger } = world;
  const stopped = untilSignal();
  const teardown = new Teardown(logger);
  try {
    const applied = await migrate(config.database.url, clock);
    if (applied.length > 0) logger.info("schema brought up to date", { applied });
    const settings = signerSettings(config, null, {
      approvalKeys: await readApprovalKeyFiles(config),
    });
    const kept = await supervise("the signer", () => startSigner(settings), world);
    teardown.add("signer", () => kept.stop());
    const { foundation, metrics } = await startProcess(config, world, "api", teardown);
    const server = await buildApi(foundation, metrics);
    teardown.add("server", () => server.close());
    const signer = await connectSigner(config, clock, logger);
    teardown.add("signer connection", () => {
      signer.close();
    });
    const stop = new AbortController();
    const worker = runWorker(foundation, metrics, signer, stop.signal);
    teardown.add("worker", async () => {
      stop.abort();
      await worker;
    });
    await server.listen(config.listen);
    logger.info("listening", { ...config.listen, chains: Object.keys(config.chains) });
    const signerLost = kept.failed.then((reason) => {
      throw new Error(reason);
    });
    await Promise.race([stopped, worker, signerLost]);
  } finally {
    await teardown.run();
  }
}
