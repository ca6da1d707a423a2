import { join, resolve } from "node:path";
import { InvalidArgumentError, Option } from "commander";
import { systemClock } from "../kernel/system-clock.ts";
import { systemRandom } from "../kernel/system-random.ts";
import type { CommandContext } from "./commands/command-context.ts";
import { createLogger } from "./log.ts";

const projectFolder = join(import.meta.dirname, "../..");
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

/** The option that `configFile` reads. */
export function configOption(): Option {
  return new Option("--config <file>", "configuration file; default: SLUICE_CONFIG");
}

/** The file that `--config` or else `SLUICE_CONFIG` names. */
export function configFile(options: ConfigOption): string {
  const file = options.config ?? process.env["SLUICE_CONFIG"] ?? "";
  if (file === "") {
    throw new Error("SLUICE_CONFIG must name the configuration file (or give --config FILE)");
  }
  return resolve(file);
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
