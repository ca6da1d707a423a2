import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { BenchSite } from "./bench-site.ts";
import { processorSeconds } from "./child-process.ts";
import { median } from "./measure.ts";
import { countFinding, type Finding } from "./report.ts";

/** Microseconds of processor time that one run took, of each round. */
export type Spent = { readonly product: number[]; readonly floor: number[] };

/**
 * Notes what one run costs the processor, in PostgreSQL and in `pid` (null: in what this process started and has seen the end
 * of, as pgbench). `seconds`: how long runs were made. Other work on the machine takes turns away from a server that is one process, but
 * not from sixteen sessions: where it is busy, these figures tell more than rates do.
 */
export async function metered(
  site: BenchSite,
  noted: number[],
  { pid, seconds }: { readonly pid: number | null; readonly seconds: number },
  work: () => Promise<number>,
): Promise<number> {
  const total = (): number =>
    databaseSeconds(site) + (pid === null ? endedSeconds(process.pid) : processorSeconds(pid));
  const before = total();
  const perSecond = await work();
  noted.push(((total() - before) / (perSecond * seconds)) * 1e6);
  return perSecond;
}

/** Without a target: how many turns either side gets is the machine's part. None where there is no `/proc`. */
export function spentFindings(
  what: string,
  { product, floor }: Spent,
  floorName: string,
): readonly Finding[] {
  const medians = { product: median(product), floor: median(floor) };
  if (Number.isNaN(medians.product)) return [];
  return [
    countFinding(
      `${what}: processor time of one, api and PostgreSQL`,
      medians,
      "us",
      `${floorName} and PostgreSQL`,
      null,
    ),
  ];
}

/** Of all processes of the run's PostgreSQL, those that have ended too. */
function databaseSeconds(site: BenchSite): number {
  if (!existsSync("/proc/self/stat")) return Number.NaN;
  const pidFile = join(site.folder, "postgres", "data", "postmaster.pid");
  const server = Number(readFileSync(pidFile, "utf8").split("\n", 1)[0]);
  const running = processesOf(server)
    .map(processorSeconds)
    .filter((seconds) => !Number.isNaN(seconds));
  return running.reduce((sum, seconds) => sum + seconds, endedSeconds(server));
}

function processesOf(parent: number): readonly number[] {
  const numbered = readdirSync("/proc").map(Number).filter(Number.isInteger);
  return numbered.filter((pid) => Number(fieldsOf(pid)[1]) === parent);
}

const ticksPerSecond = 100;

/** Of a process's children that have ended. */
function endedSeconds(pid: number): number {
  const fields = fieldsOf(pid);
  return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
}

/** Behind the name, which may hold spaces. */
function fieldsOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
  } catch {
    return [];
  }
}
