import { buildApi } from "../build/build-api.ts";
import { processWorld } from "../build/process-world.ts";
import { readConfig } from "../config/read-config.ts";
import { startProcess } from "./start-process.ts";
import { Teardown } from "./teardown.ts";
import { untilSignal } from "./until-signal.ts";

/** `sluice api`: serves HTTP until a signal arrives. `port` overrides the configuration, so several can run on one machine. */
export async function runApiProcess(configFile: string, port: number | null): Promise<void> {
  const config = await readConfig(configFile);
  const listen = { ...config.listen, ...(port === null ? {} : { port }) };
  const world = processWorld(config);
  const teardown = new Teardown(world.logger);
  try {
    const { foundation, metrics } = await startProcess(config, world, "api", teardown);
    const server = await buildApi(foundation, metrics);
    teardown.add("server", () => server.close());
    await server.listen(listen);
    foundation.logger.info("api is listening", listen);
    await untilSignal();
  } finally {
    await teardown.run();
  }
}
