import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  type SupervisedProcess,
  startSupervised,
} from "../../../src/platform/processes/supervised-process.ts";

const cli = join(import.meta.dirname, "../../../src/main/cli.ts");
const run = promisify(execFile);

/** The environment of a person's shell. */
function environment(more: Readonly<Record<string, string>>): Record<string, string> {
  const names = ["PATH", "HOME", "XDG_CACHE_HOME", "TMPDIR", "NODE_COMPILE_CACHE"];
  const known = names.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(known), ...more };
}

/** Runs a command that ends by itself; resolves with its output, rejects with its errors. */
export function runSluice(...args: readonly string[]): Promise<string> {
  return runSluiceIn({}, ...args);
}

/** The same with more variables in its environment. */
export async function runSluiceIn(
  more: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<string> {
  const { stdout } = await run(process.execPath, [cli, ...args], { env: environment(more) });
  return stdout;
}

/** Starts a long-running command as a process that ends with this one at the latest; its log goes to the file. */
export function startSluice(
  logFile: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): SupervisedProcess {
  const script = 'exec "$0" "$@" 2>"$SCENARIO_LOG"';
  const command = ["-c", script, process.execPath, cli, ...args];
  return startSupervised("/bin/sh", command, environment({ ...more, SCENARIO_LOG: logFile }));
}

/** What a stopped deployment left behind: ports that still respond, processes whose command line names its folder. */
export async function leftovers(
  folder: string,
  urls: readonly string[],
): Promise<readonly string[]> {
  const listening = await Promise.all(
    urls.map(async (url) => ((await isListening(new URL(url))) ? [`${url} still answers`] : [])),
  );
  return [...listening.flat(), ...(await processesNaming(folder))];
}

function isListening({ hostname, port }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const end = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once("connect", () => {
      end(true);
    });
    socket.once("error", () => {
      end(false);
    });
  });
}

/** Only if the system shows processes as files. */
async function processesNaming(folder: string): Promise<readonly string[]> {
  const entries = await readdir("/proc").catch(() => []);
  const lines = await Promise.all(
    entries
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  return lines
    .map((line) => line.replaceAll("\0", " ").trim())
    .filter((line) => line.includes(folder))
    .map((line) => `still running: ${line}`);
}
