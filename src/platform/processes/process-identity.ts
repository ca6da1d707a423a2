import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

/**
 * A string that identifies this run of a process, even after its pid was reused. Null if no such process runs; a zombie
 * does not count as running.
 */
export async function processIdentity(pid: number): Promise<string | null> {
  return process.platform === "linux" ? fromProc(pid) : fromPs(pid);
}

/** Boot id and start time in ticks since boot: fields 3 and 22 of `stat` in proc(5). */
async function fromProc(pid: number): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in parentheses, which may itself contain spaces and parentheses.
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
