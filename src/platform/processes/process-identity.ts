import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

/**
 * A text that tells this run of a process from every other, also after its number was given out again; null when no
 * such process runs (one that has ended and waits to be reaped does not run).
 */
export async function processIdentity(pid: number): Promise<string | null> {
  return process.platform === "linux" ? fromProc(pid) : fromPs(pid);
}

/** The machine's boot and the process's start in ticks since then: fields 3 and 22 of proc(5) `stat`. */
async function fromProc(pid: number): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in parentheses and may hold spaces and parentheses itself.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const state = fields[0];
    const startedAtTick = fields[19];
    if (state === "Z" || state === "X" || startedAtTick === undefined) return null;
    const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8");
    return `${boot.trim()}:${startedAtTick}`;
  } catch {
    return null;
  }
}

async function fromPs(pid: number): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)("ps", ["-o", "lstart=", "-p", String(pid)]);
    const startedAt = stdout.trim();
    return startedAt === "" ? null : startedAt;
  } catch {
    return null;
  }
}
