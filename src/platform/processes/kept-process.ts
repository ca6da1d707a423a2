import { spawn } from "node:child_process";
import { present } from "../kernel/assert.ts";
import type { Clock } from "../kernel/clock.ts";

/** A program that runs beside this process and ends with it. */
export type KeptProcess = {
  /** Of the keeper, which lives as long as the program; 0 when it could not be started. */
  readonly pid: number;
  /** Resolves with the first group of the pattern once the output matches; rejects when the program ends before. */
  readonly printed: (pattern: RegExp) => Promise<string>;
  /** The last that it printed, for an error message. */
  readonly output: () => string;
  readonly hasEnded: () => boolean;
  /** Resolves when the program has ended, for whatever reason, and all that it printed was read. */
  readonly ended: Promise<void>;
  /** Sends it the signal to end, and waits for nothing. */
  readonly askToEnd: () => void;
  /** Ends it at once (SIGKILL). */
  readonly kill: () => void;
  /** Asks it to end, waits for it, and kills it after `patienceMs`. */
  readonly end: (clock: Clock, patienceMs: number) => Promise<void>;
};

export type KeepOptions = {
  /** The signal that asks it to end; SIGTERM unless told. */
  readonly signal?: "TERM" | "INT";
  /** Whom it runs as; null: as we do. */
  readonly user?: { readonly uid: number; readonly gid: number } | null;
  /** Open files that it is given as its descriptors 4, 5, ... */
  readonly descriptors?: readonly number[];
};

/**
 * Asks the program to end as soon as the other end of descriptor 3 closes, which the operating system does however this
 * process ends, `kill -9` included: nothing outlives its owner.
 */
const keeper = (signal: "TERM" | "INT"): string => `
"$@" 3<&- &
program=$!
{ read -r _ <&3; kill -${signal} "$program"; } &
watcher=$!
exec 3<&-
wait "$program"; code=$?
kill "$watcher" 2>/dev/null
exit "$code"
`;

const outputKept = 16_000;
const outputShown = 4_000;

/**
 * Starts a program in a session of its own, so that Ctrl-C in the terminal leaves its end to this process. Of our
 * environment it gets PATH alone, beside `env`: secrets stay out.
 */
export function startKept(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  { signal = "TERM", user = null, descriptors = [] }: KeepOptions = {},
): KeptProcess {
  const child = spawn("/bin/sh", ["-c", keeper(signal), "sluice-keeper", program, ...args], {
    ...user,
    cwd: "/",
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LC_ALL: "C", ...env },
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "pipe", ...descriptors],
  });
  const control = present(child.stdio[3], "control descriptor");
  // Nothing is written to it; it closes when the program ends first.
  control.on("error", () => undefined);
  let text = "";
  const listeners = new Set<() => void>();
  // Read to the end of its life, since a full pipe would stop the program.
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      text = (text + chunk).slice(-outputKept);
      for (const listener of listeners) listener();
    });
  const output = (): string => text.trim().slice(-outputShown);
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
    // A killed keeper leaves the program to its watcher, which waits for this.
    child.once("exit", () => {
      control.destroy();
    });
    child.once("close", over);
  });
  const askToEnd = (): void => {
    control.destroy();
  };
  const kill = (): void => {
    if (child.pid === undefined || isOver) return;
    try {
      // The whole session: the keeper and the program.
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // It ended in this very moment.
    }
  };
  return {
    pid: child.pid ?? 0,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = pattern.exec(text)?.[1];
          if (found === undefined) return;
          listeners.delete(look);
          resolve(found);
        };
        listeners.add(look);
        look();
        void ended.then(() => {
          listeners.delete(look);
          reject(new Error(`${program} ended: ${output()}`));
        });
      }),
    output,
    hasEnded: () => isOver,
    ended,
    askToEnd,
    kill,
    end: async (clock, patienceMs) => {
      askToEnd();
      await endedWithin(ended, patienceMs, clock);
      kill();
      await ended;
    },
  };
}

/** Resolves when the program has ended, or after `delayMs`. */
export async function endedWithin(
  ended: Promise<void>,
  delayMs: number,
  clock: Clock,
): Promise<void> {
  const done = new AbortController();
  await Promise.race([ended, clock.sleep(delayMs, done.signal)]);
  done.abort();
}
