import { connectSigner } from "../build/connect-signer.ts";
import { processWorld } from "../build/process-world.ts";
import { readConfig } from "../config/read-config.ts";
import { serveOperations } from "../metrics/serve-operations.ts";
import { runWorker } from "./run-worker.ts";
import { startProcess } from "./start-process.ts";
import { Teardown } from "./teardown.ts";
import { untilSignal } from "./until-signal.ts";

/** `sluice worker`: follows chains and delivers callbacks until a signal arrives. `port` as in `runApiProcess`. */
export async function runWorkerProcess(configFile: string, port: number | null): Promise<void> {
  const config = await readConfig(configFile);
  const listen = { ...config.worker, ...(port === null ? {} : { port }) };
  const world = processWorld(config);
  const teardown = new Teardown(world.logger);
  try {
    const { foundation, metrics } = await startProcess(config, world, "worker", teardown);
    const signer = metrics.measureSigner(
      await connectSigner(config, foundation.clock, world.logger),
    );
    teardown.add("signer connection", () => {
      signer.close();
    });
    const watched = { ...foundation, askSigner: () => signer.readMark() };
    await serveOperations(watched, metrics, listen, teardown);
    const stop = new AbortController();
    const worker = runWorker(foundation, metrics, signer, stop.signal);
    teardown.add("worker", async () => {
      stop.abort();
      await worker;
    });
    await Promise.race([untilSignal(), worker]);
  } finally {
    await teardown.run();
  }
}
