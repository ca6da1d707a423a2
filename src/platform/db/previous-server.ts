import { execFile } from "node:child_process";
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Clock } from "../kernel/clock.ts";
import { processIdentity } from "../processes/process-identity.ts";

/** The signals sent in turn, and how long each may take: fast shutdown (with a checkpoint), immediate shutdown, kill. */
const patience = [
  { signal: "SIGINT", waitMs: 30_000 },
  { signal: "SIGQUIT", waitMs: 5_000 },
  { signal: "SIGKILL", waitMs: 5_000 },
] as const;

/**
 * Ends a server that a killed run left on this data folder. Also removes a `postmaster.pid` whose pid now belongs to
 * another process, which PostgreSQL would take for a running server. The file
 * of a server that has ended is left in place, because PostgreSQL finds the old shared memory by it. `at once`: without writing
 * anything.
 */
export async function endPreviousServer(
  dataFolder: string,
  clock: Clock,
  how: "orderly" | "at once" = "orderly",
): Promise<void> {
  const pid = await recordedServer(dataFolder);
  if (pid === null || (await processIdentity(pid)) === null) return;
  const steps = how === "orderly" ? patience : patience.slice(1);
  if (await worksIn(pid, dataFolder)) await endServer(pid, clock, steps);
  else await rm(join(dataFolder, "postmaster.pid"), { force: true });
}

/** The pid in the first line of `postmaster.pid`, which is negative for a single-user server. */
async function recordedServer(dataFolder: string): Promise<number | null> {
  const text = await readFile(join(dataFolder, "postmaster.pid"), "utf8").catch(() => "");
  const pid = Math.abs(Number.parseInt(text, 10));
  return Number.isNaN(pid) || pid === 0 ? null : pid;
}

/** Ends a server with increasingly forceful signals; resolves when it is gone. */
async function endServer(
  pid: number,
  clock: Clock,
  steps: readonly (typeof patience)[number][],
): Promise<void> {
  const identity = await processIdentity(pid);
  if (identity === null) return;
  for (const { signal, waitMs } of steps) {
    signalProcess(pid, signal);
    for (let waitedMs = 0; waitedMs < waitMs; waitedMs += 25) {
      if ((await processIdentity(pid)) !== identity) return;
      await clock.sleep(25);
    }
  }
  throw new Error(`the database server ${pid} does not stop`);
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** PostgreSQL's working directory is its data folder. On systems other than Linux its command line is checked instead. */
async function worksIn(pid: number, dataFolder: string): Promise<boolean> {
  try {
    if (process.platform === "linux") {
      const [current, data] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(dataFolder)]);
      return current.dev === data.dev && current.ino === data.ino;
    }
    const { stdout } = await promisify(execFile)("ps", ["-o", "command=", "-p", String(pid)]);
    return stdout.includes(dataFolder);
  } catch {
    return false;
  }
}
