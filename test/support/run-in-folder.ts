import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InvalidArgumentError } from "commander";

/** Reads an option that is a positive integer. */
export function readCount(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("a positive integer");
}

/** Reads an option that lists some of `names`. */
export function listOf<Name extends string>(
  names: readonly Name[],
): (text: string) => readonly Name[] {
  return (text) =>
    text.split(",").map((name) => {
      const known = names.find((candidate) => candidate === name);
      if (known === undefined) throw new InvalidArgumentError(`one of ${names.join(", ")}`);
      return known;
    });
}

export function randomSeed(): number {
  return 1 + Math.floor(Math.random() * 1_000_000);
}

export type FolderRun = {
  readonly folder: string;
  readonly print: (line: string) => void;
  /** Aborts when the command is interrupted. */
  readonly signal: AbortSignal;
};

/**
 * Runs a long test as a command, in a temporary folder that is kept if `keep` is set or a fault is found. Prints the verdict and sets
 * the exit code: 1 after faults, 130 if it was interrupted. A second interrupt ends the process at once.
 */
export async function runInFolder(
  name: string,
  keep: boolean,
  work: (run: FolderRun) => Promise<{ readonly faults: readonly string[] }>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), `sluice-${name}-`));
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => {
      // The keepers of all processes end them when this process exits.
      if (stop.signal.aborted) process.exit(130);
      console.log(`Stopping for ${signal}`);
      stop.abort();
    });
  const startedAt = performance.now();
  const print = (line: string): void => {
    console.log(line);
  };
  try {
    const { faults } = await work({ folder, print, signal: stop.signal });
    process.exitCode = faults.length === 0 ? 0 : 1;
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    print(faults.length === 0 ? `All held, in ${seconds} s` : `${faults.length} faults`);
  } catch (error) {
    if (!stop.signal.aborted) {
      process.exitCode = 1;
      throw error;
    }
    process.exitCode = 130;
    print("Stopped");
  } finally {
    if (keep || process.exitCode === 1) print(`Data and logs: ${folder}`);
    else await rm(folder, { recursive: true, force: true });
  }
}
