import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { BenchSite } from "./bench-site.ts";
import { processorSeconds } from "./child-process.ts";
import { median } from "./measure.ts";
import { countFinding, type Finding } from "./report.ts";

/** Microseconds of processor time per run, for each round. */
export type Spent = { readonly product: number[]; readonly floor: number[] };

/**
 * Records the processor time of one run in PostgreSQL and in `pid` (null: in ended child processes of this one, such as
 * pgbench). `seconds` is the duration of the measurement. Other load slows a single-process server more
 * than sixteen sessions, so on a busy machine these figures are more reliable than rates.
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

/** Has no target, because the machine decides how much time each side gets. Empty without `/proc`. */
export function spentFindings(
  what: string,
  { product, floor }: Spent,
  floorName: string,
): readonly Finding[] {
  const medians = { product: median(product), floor: median(floor) };
  if (Number.isNaN(medians.product)) return [];
  return [
    countFinding(
      `${what}: processor time per request, api and PostgreSQL`,
      medians,
      "us",
      `${floorName} and PostgreSQL`,
      null,
    ),
  ];
}

/** Processor time of all of PostgreSQL's processes, ended ones included. */
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

/** Processor time of a process's ended children. */
function endedSeconds(pid: number): number {
  const fields = fieldsOf(pid);
  return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
}

/** The fields after the name, which may contain spaces. */
function fieldsOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
  } catch {
    return [];
  }
}
