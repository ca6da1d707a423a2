import { dirname, join, resolve } from "node:path";
import { InvalidArgumentError, Option } from "commander";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { runningFilePath, sandboxConfigPath } from "../../sandbox/sandbox-file.ts";
import { settingNames } from "../config/environment.ts";
import { createLogger } from "../metrics/log.ts";
import type { CommandContext } from "./command-context.ts";

const projectFolder = join(import.meta.dirname, "../../..");
const stderr = 2;

/** Writes one line to standard output. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The context of a command that ends by itself: it prints to standard output and logs to standard error. */
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
    "configuration file (default: SLUICE_CONFIG, or the running sandbox)",
  );
}

/**
 * The file named by `--config` or `SLUICE_CONFIG`; null when neither is set. Throws when variables would then set members of a
 * sandbox, which has no configuration to set.
 */
export function namedConfigFile(options: ConfigOption): string | null {
  const file = options.config ?? process.env["SLUICE_CONFIG"] ?? "";
  if (file !== "") return resolve(file);
  const [setting] = settingNames(process.env);
  if (setting === undefined) return null;
  throw new Error(
    `${setting} is set, but no configuration file is named. Set SLUICE_CONFIG, to /dev/null if there is no file.`,
  );
}

/** The configuration that a command works on: the named one, or that of the running sandbox. */
export function configFile(options: ConfigOption): string {
  const named = namedConfigFile(options);
  if (named !== null) return named;
  const home = homeFolder();
  if (runningFilePath(home) === null)
    throw new Error(
      `No configuration and no running sandbox in ${home}. Set SLUICE_CONFIG, pass --config FILE, or run npm start.`,
    );
  return sandboxConfigPath(home);
}

/** The sandbox folder for commands that act as its payer or miner. Throws for the configuration of a deployment. */
export function sandboxHome(options: ConfigOption): string {
  const named = namedConfigFile(options);
  if (named === null) return homeFolder();
  const home = dirname(named);
  if (named !== sandboxConfigPath(home) || runningFilePath(home) === null)
    throw new Error(
      `${named} is not the configuration of a running sandbox, and this command works on a sandbox only`,
    );
  return home;
}

/** Parses a port; throws commander's error for anything else. */
export function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError("Enter a port from 0 to 65535.");
}

/** Parses a number of blocks. */
export function readCount(text: string): number {
  const count = Number(text);
  if (/^[1-9]\d*$/.test(text) && count <= 10_000) return count;
  throw new InvalidArgumentError("Enter a number of blocks from 1 to 10000.");
}

const secondsMax = 3_600;

/** Reads a number of seconds from 0 to an hour. */
export function readSeconds(text: string): number {
  const seconds = Number(text);
  if (/^\d{1,4}$/.test(text) && seconds <= secondsMax) return seconds;
  throw new InvalidArgumentError(`Enter a number of seconds from 0 to ${secondsMax}.`);
}
