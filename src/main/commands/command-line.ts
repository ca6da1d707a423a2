import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { InvalidArgumentError, Option } from "commander";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { sandboxConfigPath, sandboxFilePath } from "../../sandbox/sandbox-file.ts";
import { createLogger } from "../metrics/log.ts";
import type { CommandContext } from "./command-context.ts";

const projectFolder = join(import.meta.dirname, "../../..");
const stderr = 2;

/** Writes one line to standard output. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** What a command that ends by itself works with: it talks on standard output and complains on standard error. */
export function commandContext(): CommandContext {
  return {
    clock: systemClock,
    random: systemRandom,
    logger: createLogger({ level: "warn", clock: systemClock, destination: stderr }),
    print,
  };
}

/** `SLUICE_HOME`, by default `.sluice` in the project's folder. */
export function homeFolder(): string {
  const home = process.env["SLUICE_HOME"] ?? "";
  return home === "" ? join(projectFolder, ".sluice") : resolve(home);
}

export type ConfigOption = { readonly config?: string };

/** The option that `configFile` and `sandboxHome` read. */
export function configOption(): Option {
  return new Option(
    "--config <file>",
    "configuration file (default: SLUICE_CONFIG, else the running sandbox of SLUICE_HOME)",
  );
}

/** The file that `--config` or else `SLUICE_CONFIG` names; null where neither does. */
export function namedConfigFile(options: ConfigOption): string | null {
  const file = options.config ?? process.env["SLUICE_CONFIG"] ?? "";
  return file === "" ? null : resolve(file);
}

/** The configuration that a command works on: the one that is named, else that of the running sandbox. */
export function configFile(options: ConfigOption): string {
  const named = namedConfigFile(options);
  if (named !== null) return named;
  const home = homeFolder();
  if (!existsSync(sandboxFilePath(home)))
    throw new Error(
      `no sandbox runs in ${home}: start one with \`npm start\`, or name a deployment's configuration with --config FILE or SLUICE_CONFIG`,
    );
  return sandboxConfigPath(home);
}

/** The folder of the sandbox that a command plays the payer or the miner of. Throws for the configuration of a deployment. */
export function sandboxHome(options: ConfigOption): string {
  const named = namedConfigFile(options);
  if (named === null) return homeFolder();
  const home = dirname(named);
  if (named !== sandboxConfigPath(home) || !existsSync(sandboxFilePath(home)))
    throw new Error(
      `${named} is not the configuration of a running sandbox, and this command works on a sandbox only`,
    );
  return home;
}

/** A port, or the refusal of the text that is none, as commander shows it. */
export function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError("A port is a number from 0 to 65535.");
}

/** A count of blocks. */
export function readCount(text: string): number {
  const count = Number(text);
  if (/^[1-9]\d*$/.test(text) && count <= 10_000) return count;
  throw new InvalidArgumentError("A number of blocks is 1 to 10000.");
}
