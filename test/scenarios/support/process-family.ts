import { readdir, readFile } from "node:fs/promises";

/** A process of this system; `startedAt` (ticks since the system started) tells it from a later one with the same pid. */
export type RunningProcess = {
  readonly pid: number;
  readonly parent: number;
  readonly startedAt: string;
};

/** What a process has started, directly or through others, and still runs; empty where the system does not show processes as files. */
export async function descendantsOf(pid: number): Promise<readonly RunningProcess[]> {
  const all = await runningProcesses();
  const family = new Set([pid]);
  // A child can be listed before its parent, so the list is gone through until nothing is added.
  for (let size = 0; size < family.size; ) {
    size = family.size;
    for (const found of all) if (family.has(found.parent)) family.add(found.pid);
  }
  return all.filter((found) => found.pid !== pid && family.has(found.pid));
}

/** Which of these processes have not ended. */
export async function stillRunning(
  processes: readonly RunningProcess[],
): Promise<readonly RunningProcess[]> {
  const name = ({ pid, startedAt }: RunningProcess): string => `${pid} ${startedAt}`;
  const running = new Set((await runningProcesses()).map(name));
  return processes.filter((one) => running.has(name(one)));
}

async function runningProcesses(): Promise<readonly RunningProcess[]> {
  const entries = await readdir("/proc").catch(() => []);
  const found = await Promise.all(
    entries
      .filter((entry) => /^\d+$/.test(entry))
      .map(async (entry) => {
        const stat = await readFile(`/proc/${entry}/stat`, "utf8").catch(() => "");
        // After the name in parentheses, which may contain anything: state, parent, and as the twentieth the start.
        const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        const [state, parent = "0"] = fields;
        if (stat === "" || state === "Z") return [];
        return [{ pid: Number(entry), parent: Number(parent), startedAt: fields[19] ?? "" }];
      }),
  );
  return found.flat();
}
