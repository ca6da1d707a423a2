import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { present } from "../kernel/assert.ts";
import type { Clock } from "../kernel/clock.ts";

/** A child program that never outlives this process. */
export type SupervisedProcess = {
  /** Pid of the supervising shell, which lives as long as the program; 0 if it could not be started. */
  readonly pid: number;
  /** Pid of the program itself; null until it has started. */
  readonly programPid: () => number | null;
  /** Resolves with the first group of the pattern once the output matches; rejects if the program ends first. */
  readonly printed: (pattern: RegExp) => Promise<string>;
  /** The end of its output, for error messages. */
  readonly output: () => string;
  readonly hasEnded: () => boolean;
  /** Resolves when the program has ended for any reason and all of its output was read. */
  readonly ended: Promise<void>;
  /** Sends the stop signal without waiting. */
  readonly requestStop: () => void;
  /** Kills it at once (SIGKILL). */
  readonly kill: () => void;
  /** Sends the stop signal, waits for the program to end, and kills it after `patienceMs`. */
  readonly end: (clock: Clock, patienceMs: number) => Promise<void>;
};

export type SupervisionOptions = {
  /** The stop signal; default SIGTERM. */
  readonly signal?: "TERM" | "INT";
  /** The user it runs as; null: the same as this process. */
  readonly user?: { readonly uid: number; readonly gid: number } | null;
  /** Open files that it inherits as descriptors 4, 5, ... */
  readonly descriptors?: readonly number[];
  /** An open file that receives its output, which `printed` and `output` then do not see. */
  readonly outputTo?: number;
};

/**
 * A shell script that stops the program as soon as the other end of descriptor 3 closes. The operating system closes it however this
 * process ends, `kill -9` included. A stopped program (SIGSTOP) is woken, or it would not notice the signal.
 */
const supervisor = (signal: "TERM" | "INT"): string => `
"$@" 3<&- &
program=$!
echo "$program" >&3
{ read -r _ <&3; kill -${signal} "$program"; kill -CONT "$program" 2>/dev/null; } &
watcher=$!
exec 3<&-
wait "$program"; code=$?
kill "$watcher" 2>/dev/null
exit "$code"
`;

const outputMax = 16_000;
const outputShownMax = 4_000;

/**
 * Starts a program in its own session, so that Ctrl-C in the terminal reaches only this process. Of our
 * environment it inherits only PATH, in addition to `env`, so it sees no secrets.
 */
export function startSupervised(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  { signal = "TERM", user = null, descriptors = [], outputTo }: SupervisionOptions = {},
): SupervisedProcess {
  const stdout = outputTo ?? "pipe";
  const child = spawn(
    "/bin/sh",
    ["-c", supervisor(signal), "sluice-supervisor", program, ...args],
    {
      ...user,
      cwd: "/",
      env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LC_ALL: "C", ...env },
      detached: true,
      stdio: ["ignore", stdout, stdout, "pipe", ...descriptors],
    },
  );
  const control = present(child.stdio[3], "control descriptor") as Socket;
  // It closes when the program ends first.
  control.on("error", () => undefined);
  let programPid: number | null = null;
  control.setEncoding("utf8").on("data", (line: string) => {
    programPid ??= Number.parseInt(line, 10);
  });
  let text = "";
  const listeners = new Set<() => void>();
  // The output is always read, because a full pipe would block the program.
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      text = (text + chunk).slice(-outputMax);
      for (const listener of listeners) listener();
    });
  const output = (): string => text.trim().slice(-outputShownMax);
  let isOver = false;
  const ended = new Promise<void>((resolve) => {
    const over = (): void => {
      isOver = true;
      control.destroy();
      resolve();
    };
    child.once("error", (error) => {
      text += error.message;
      over();
    });
    // If the supervising shell was killed, its watcher stops the program when this closes.
    child.once("exit", () => {
      control.destroy();
    });
    child.once("close", over);
  });
  const requestStop = (): void => {
    control.destroy();
  };
  const kill = (): void => {
    if (child.pid === undefined || isOver) return;
    try {
      // The whole session: the supervising shell and the program.
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has just ended.
    }
  };
  return {
    pid: child.pid ?? 0,
    programPid: () => programPid,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          const found = pattern.exec(text)?.[1];
          if (found === undefined) return;
          listeners.delete(check);
          resolve(found);
        };
        listeners.add(check);
        check();
        void ended.then(() => {
          listeners.delete(check);
          reject(new Error(`${program} ended: ${output()}`));
        });
      }),
    output,
    hasEnded: () => isOver,
    ended,
    requestStop,
    kill,
    end: async (clock, patienceMs) => {
      requestStop();
      await waitForEnd(ended, patienceMs, clock);
      kill();
      await ended;
    },
  };
}

/** Resolves when the program has ended, or after `delayMs`. */
export async function waitForEnd(
  ended: Promise<void>,
  delayMs: number,
  clock: Clock,
): Promise<void> {
  const done = new AbortController();
  await Promise.race([ended, clock.sleep(delayMs, done.signal)]);
  done.abort();
}
