import { type ChildProcess, execFileSync, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Teardown } from "../../src/main/processes/teardown.ts";

const commandLine = join(import.meta.dirname, "../../bin/sluice");

export type RunningProcess = {
  readonly pid: number;
  /** Stops it as a supervisor would, and waits. */
  readonly stop: () => Promise<void>;
};

/** Starts `sluice ...` as an operator would, with its output in `logFile`. `profile` is the folder for a CPU profile written at its end. */
export function startSluice(
  args: readonly string[],
  options: {
    readonly logFile: string;
    readonly environment?: Readonly<Record<string, string>>;
    readonly teardown: Teardown;
  },
): RunningProcess {
  const log = openSync(options.logFile, "a");
  const profile = process.env["BENCH_PROFILE"];
  const flags =
    profile === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profile}` };
  const child = spawn(commandLine, args, {
    stdio: ["ignore", log, log],
    env: { ...process.env, ...flags, ...options.environment },
  });
  return supervise(child, options.teardown);
}

/** Starts a script of this folder that communicates over IPC. */
export function startHelper(file: string, teardown: Teardown): ChildProcess & RunningProcess {
  const child = fork(join(import.meta.dirname, file), {
    stdio: ["ignore", 2, 2, "ipc"],
    serialization: "advanced",
  });
  return Object.assign(child, supervise(child, teardown));
}

function supervise(child: ChildProcess, teardown: Teardown): RunningProcess {
  const ended = once(child, "exit");
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
    await ended;
  };
  teardown.add(`process ${String(child.pid)}`, stop);
  return { pid: child.pid ?? 0, stop };
}

/** Sends a request to such a script. Rejects if it ends without an answer. */
export async function ask<Answer>(helper: ChildProcess, question: object): Promise<Answer> {
  const stop = new AbortController();
  const answer = once(helper, "message", { signal: stop.signal });
  const end = once(helper, "exit", { signal: stop.signal }).then(() => {
    throw new Error(`${helper.spawnfile} ended without an answer`);
  });
  helper.send(question);
  try {
    const [message] = (await Promise.race([answer, end])) as [Answer];
    return message;
  } finally {
    stop.abort();
    await Promise.allSettled([answer, end]);
  }
}

/** Resident memory of a process in MiB. */
export function residentMib(pid: number): number {
  const kib = execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" });
  return Number(kib.trim()) / 1024;
}

const ticksPerSecond = 100;

/** Processor seconds used by a process so far; NaN without `/proc`. */
export function processorSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  } catch {
    return Number.NaN;
  }
}

/** Polls until the answer is 200; returns the seconds it took. */
export async function untilAnswers(url: string, withinSeconds = 60): Promise<number> {
  const start = performance.now();
  for (;;) {
    const status = await fetch(url).then(
      async (answer) => {
        await answer.arrayBuffer();
        return answer.status;
      },
      () => 0,
    );
    const seconds = (performance.now() - start) / 1000;
    if (status === 200) return seconds;
    if (seconds > withinSeconds) throw new Error(`${url} does not answer 200`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
