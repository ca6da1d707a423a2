import { join } from "node:path";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { releaseMemoryWhenQuiet } from "../../platform/processes/release-memory.ts";
import { createLogger } from "../metrics/log.ts";
import { type Sandbox, type SandboxOptions, startSandbox } from "./start-sandbox.ts";
import { untilSignal } from "./until-signal.ts";

/** `sluice start`: runs the sandbox in the foreground until a signal arrives or a part fails. */
export async function runSandboxProcess(
  options: SandboxOptions,
  print: (line: string) => void,
): Promise<void> {
  const logFile = join(options.home, "sluice.log");
  const logger = createLogger({ level: "info", clock: systemClock, destination: logFile });
  const stopped = untilSignal();
  print(`Sluice sandbox in ${options.home} (log: ${logFile})`);
  const sandbox = await startSandbox(options, {
    clock: systemClock,
    random: systemRandom,
    logger,
  });
  printAddresses(sandbox, print);
  const stop = new AbortController();
  const releasing = releaseMemoryWhenQuiet({ clock: systemClock }, stop.signal);
  const reason = await Promise.race([stopped, sandbox.failed]);
  const isFailure = reason !== "SIGINT" && reason !== "SIGTERM";
  stop.abort();
  await releasing;
  print(isFailure ? `Stopping, because ${reason}.` : "Stopping.");
  await sandbox.stop();
  if (isFailure) process.exitCode = 1;
}

function printAddresses({ file, missing }: Sandbox, print: (line: string) => void): void {
  const lines = [
    "",
    `Dashboard     ${file.base_url}/ui/`,
    `  Login       ${file.dashboard.login}`,
    `  Password    ${file.dashboard.password}`,
    `API           ${file.base_url}/   (reference: ${file.base_url}/docs)`,
    `  Login       ${file.login}`,
    `  Password    ${file.password}`,
    `Metrics       ${file.metrics_url}`,
    `Emails        ${file.mail_url}   (all that the sandbox sends, as JSON)`,
    "",
    ...Object.entries(file.chains).map(
      ([chain, site]) =>
        `${chain.padEnd(14)}${site.rpc_url}${"simulated" in site ? " (simulated)" : ""}`,
    ),
    ...missing.map(({ chain, reason }) => `${chain.padEnd(14)}not started: ${reason}`),
    "",
    "To pay a first deposit: create one in the dashboard or over the API (README), then",
    "  npx sluice pay DEPOSIT_ID AMOUNT",
    "and watch its callback with",
    "  npx sluice listen",
    "",
    "Ready. Ctrl-C stops it.",
  ];
  for (const line of lines) print(line);
}
