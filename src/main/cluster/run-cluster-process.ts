import { join } from "node:path";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { createLogger } from "../metrics/log.ts";
import { untilSignal } from "../processes/until-signal.ts";
import { type Cluster, type ClusterOptions, startCluster } from "./start-cluster.ts";

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
  printProcesses(cluster, options.home, print);
  const reason = await Promise.race([stopped, cluster.failed]);
  const isFailure = reason !== "SIGINT" && reason !== "SIGTERM";
  print(isFailure ? `Stopping, because ${reason}.` : "Stopping.");
  await cluster.stop();
  if (isFailure) process.exitCode = 1;
}

function printProcesses(
  { file, missing }: Cluster,
  home: string,
  print: (line: string) => void,
): void {
  const columns = (...texts: readonly string[]): string =>
    texts.map((text, index) => text.padEnd([16, 18, 8][index] ?? 0)).join("");
  const lines = [
    "",
    columns("PROCESS", "ROLE", "PID", "ADDRESS"),
    ...file.processes.map(({ name, role, pid, address }) =>
      columns(name, role, String(pid), address),
    ),
    "",
    `Dashboard     ${file.base_url}/ui/`,
    `  Login       ${file.dashboard.login}`,
    `  Password    ${file.dashboard.password}`,
    `API           ${file.base_url}/   (reference: ${file.base_url}/docs)`,
    `  Login       ${file.login}`,
    `  Password    ${file.password}`,
    `Emails        ${file.mail_url}   (all that the cluster sends, as JSON)`,
    "",
    ...Object.entries(file.chains).map(
      ([chain, site]) =>
        `${chain.padEnd(14)}${site.rpc_url}${"simulated" in site ? " (simulated)" : ""}`,
    ),
    ...missing.map(({ chain, reason }) => `${chain.padEnd(14)}not started: ${reason}`),
    "",
    `Kill any of these processes, or cut the connection between two of them: see links in ${join(home, "cluster.json")}.`,
    "",
    "Ready. Ctrl-C stops it and deletes its data.",
  ];
  for (const line of lines) print(line);
}
