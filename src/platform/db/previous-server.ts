import { execFile } from "node:child_process";
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Clock } from "../kernel/clock.ts";
import { processIdentity } from "../processes/process-identity.ts";

/** How long each way of ending a server may take: fast shutdown (with a checkpoint), immediate shutdown, kill. */
const patience = [
  { signal: "SIGINT", waitMs: 30_000 },
  { signal: "SIGQUIT", waitMs: 5_000 },
  { signal: "SIGKILL", waitMs: 5_000 },
] as const;

/**
 * Ends a server that a killed run left on this data folder, and clears the trap of a `postmaster.pid` whose number
 * belongs to some other process by now (PostgreSQL would take that process for the server and refuse to start). The file
 * of a server that runs no longer is left for PostgreSQL: it tells it which shared memory to look at.
 */
export async function endPreviousServer(dataFolder: string, clock: Clock): Promise<void> {
  const pid = await recordedServer(dataFolder);
  if (pid === null || (await processIdentity(pid)) === null) return;
  if (await worksIn(pid, dataFolder)) await endServer(pid, clock);
  else await rm(join(dataFolder, "postmaster.pid"), { force: true });
}

/** The first line of `postmaster.pid`; negative there for a single-user server. */
async function recordedServer(dataFolder: string): Promise<number | null> {
  const text = await readFile(join(dataFolder, "postmaster.pid"), "utf8").catch(() => "");
  const pid = Math.abs(Number.parseInt(text, 10));
  return Number.isNaN(pid) || pid === 0 ? null : pid;
}

/** Ends a server politely, then less so, and resolves when it is gone. */
async function endServer(pid: number, clock: Clock): Promise<void> {
  const identity = await processIdentity(pid);
  if (identity === null) return;
  for (const { signal, waitMs } of patience) {
    signalProcess(pid, signal);
    for (let waitedMs = 0; waitedMs < waitMs; waitedMs += 25) {
      if ((await processIdentity(pid)) !== identity) return;
      await clock.sleep(25);
    }
  }
  throw new Error(`the database server ${pid} does not end`);
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** PostgreSQL's current folder is its data folder; elsewhere than on Linux its command line names it. */
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
