import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { BenchSite } from "./bench-site.ts";
import { processorSeconds } from "./child-process.ts";
import { median } from "./measure.ts";
import { boundFinding, countFinding, type Finding } from "./report.ts";

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
  const ended = (): number => (pid === null ? endedSeconds(process.pid) : 0);
  const endedBefore = ended();
  let perSecond = 0;
  const used = await processorTimeOf(site, pid === null ? [] : [pid], async () => {
    perSecond = await work();
  });
  noted.push(((used + ended() - endedBefore) / (perSecond * seconds)) * 1e6);
  return perSecond;
}

/** Seconds of processor time that `work` takes in PostgreSQL and in these processes. NaN without `/proc`. */
export async function processorTimeOf(
  site: BenchSite,
  pids: readonly number[],
  work: () => Promise<unknown>,
): Promise<number> {
  const inPids = (): number => pids.map(secondsOf).reduce((sum, seconds) => sum + seconds, 0);
  const databaseBefore = databaseSeconds(site);
  // Last and first, because reading the database's is work of this process.
  const before = inPids();
  await work();
  const used = inPids() - before;
  return used + databaseSeconds(site) - databaseBefore;
}

function secondsOf(pid: number): number {
  if (pid !== process.pid) return processorSeconds(pid);
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Has no target, because the machine decides how much time each side gets. Empty without `/proc`. */
export function spentFindings(
  what: string,
  { product, floor }: Spent,
  floorName: string,
): readonly Finding[] {
  return processorFindings(
    `${what}: processor time per request, api and PostgreSQL`,
    { product: median(product), floor: median(floor) },
    `${floorName} and PostgreSQL`,
  );
}

/** Compares processor times in microseconds. Empty without `/proc`. */
export function processorFindings(
  what: string,
  { product, floor }: { readonly product: number; readonly floor: number | null },
  floorName: string,
): readonly Finding[] {
  if (Number.isNaN(product)) return [];
  const finding =
    floor === null
      ? boundFinding(what, product, "us", null)
      : countFinding(what, { product, floor }, "us", floorName, null);
  return [{ ...finding, basis: "processor" }];
}

/** Processor time of all of PostgreSQL's processes, ended ones included. */
function databaseSeconds(site: BenchSite): number {
  if (!existsSync("/proc/self/stat")) return Number.NaN;
  const pidFile = join(site.folder, "postgres", "data", "postmaster.pid");
  const server = Number(readFileSync(pidFile, "utf8").split("\n", 1)[0]);
  const running = processesOf(server)
    .map(exactSeconds)
    .filter((seconds) => !Number.isNaN(seconds));
  return running.reduce((sum, seconds) => sum + seconds, endedSeconds(server));
}

/** Processor time of a process with one thread, in nanoseconds where the kernel tells them, else in its ticks of 10 ms. */
function exactSeconds(pid: number): number {
  try {
    const [nanoseconds] = readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ", 1);
    return Number(nanoseconds) / 1e9;
  } catch {
    return processorSeconds(pid);
  }
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
