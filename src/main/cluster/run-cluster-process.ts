import { join } from "node:path";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { createLogger } from "../metrics/log.ts";
import { untilSignal } from "../processes/until-signal.ts";
import { describeCluster } from "./describe-cluster.ts";
import { type ClusterOptions, startCluster } from "./start-cluster.ts";

/** `sluice cluster`: runs a whole cluster in the foreground until a signal arrives or a part fails. */
export async function runClusterProcess(
  options: ClusterOptions,
  print: (line: string) => void,
): Promise<void> {
  const logFile = join(options.home, "cluster.log");
  const logger = createLogger({ level: "info", clock: systemClock, destination: logFile });
  const stopped = untilSignal();
  print(`Sluice cluster in ${options.home} (logs: ${logFile} and cluster-logs/ beside it)`);
  const world = { clock: systemClock, random: systemRandom, logger };
  const cluster = await startCluster(options, world);
  for (const line of describeCluster(cluster, options.home)) print(line);
  const reason = await Promise.race([stopped, cluster.failed]);
  const isFailure = reason !== "SIGINT" && reason !== "SIGTERM";
  print(isFailure ? `Stopping, because ${reason}.` : "Stopping.");
  await cluster.stop();
  if (isFailure) process.exitCode = 1;
}
