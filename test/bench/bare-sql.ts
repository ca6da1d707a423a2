import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { SqlValue } from "../../src/platform/db/database.ts";
import type { BenchSite } from "./bench-site.ts";
import { ask, startHelper } from "./child-process.ts";
import { percentile } from "./measure.ts";
import type { RecordedStatement } from "./recorded-statements.ts";

/** Statements repeated as fast as possible, each in its own transaction unless `transactionFrom` says otherwise. */
export type BareWork = {
  readonly url: string;
  readonly statements: readonly RecordedStatement[];
  /** Statements from this one on share a transaction; default: none do. */
  readonly transactionFrom?: number;
  readonly draws?: readonly Draw[];
  readonly clients: number;
  readonly seconds: number;
};

/** A random integer (bounds included), drawn for each run, that replaces the values at these places. */
export type Draw = {
  readonly places: readonly { readonly statement: number; readonly position: number }[];
  readonly from: number;
  readonly to: number;
};

const run = promisify(execFile);

/** `pgbench`, or the name of its replacement. */
export async function findBareRunner(): Promise<{
  readonly name: string;
  /** Runs of all statements per second. */
  readonly run: (site: BenchSite, work: BareWork) => Promise<number>;
  /** Milliseconds within which 99 % of the runs end that begin at a steady rate per second; null where the runner cannot tell. */
  readonly p99AtRate: (
    site: BenchSite,
    work: BareWork,
    perSecond: number,
  ) => Promise<number | null>;
}> {
  try {
    await run("pgbench", ["--version"]);
    return { name: "pgbench", run: runPgbench, p99AtRate: p99OfPgbench };
  } catch {
    console.error(
      "\nPGBENCH IS MISSING: the floors below are those of the pg driver with pipelined named statements, which reaches\n" +
        "about 0.96 of pgbench. Install PostgreSQL's client programs to compare with pgbench itself.\n",
    );
    return { name: "pg driver", run: runDriver, p99AtRate: () => Promise.resolve(null) };
  }
}

/** pgbench times each run from its scheduled start, as the product's client does. */
async function p99OfPgbench(site: BenchSite, work: BareWork, perSecond: number): Promise<number> {
  const folder = join(site.folder, "pgbench-log");
  await mkdir(folder, { recursive: true });
  const log = ["--rate", String(perSecond), "--log", "--log-prefix", join(folder, "run")];
  await runPgbench(site, work, log);
  const files = await readdir(folder);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  await rm(folder, { recursive: true });
  const microseconds = texts
    .flatMap((text) => text.trim().split("\n"))
    .map((line) => Number(line.split(" ")[2]));
  return percentile(microseconds, 0.99) / 1_000;
}

async function runPgbench(
  site: BenchSite,
  work: BareWork,
  more: readonly string[] = [],
): Promise<number> {
  const { statements, draws = [], transactionFrom = null } = work;
  const lines = draws.map(({ from, to }, draw) => `\\set d${draw} random(${from}, ${to})`);
  const variables: string[] = [];
  statements.forEach(({ text, values }, statement) => {
    const names = values.map((value, position) => {
      const draw = drawAt(draws, statement, position);
      if (draw !== null) return `d${draw}`;
      const name = `s${statement}p${position}`;
      variables.push("-D", `${name}=${sqlText(value)}`);
      return name;
    });
    if (statement === transactionFrom) lines.push("begin;");
    lines.push(
      `${text.replaceAll(/\$(\d+)/g, (_, number: string) => `:${names[Number(number) - 1] ?? ""}`)};`,
    );
  });
  if (transactionFrom !== null) lines.push("commit;");
  const script = join(site.folder, "pgbench.sql");
  await writeFile(script, lines.join("\n"));
  const clients = ["-c", String(work.clients), "-j", "2", "-T", String(work.seconds)];
  const { stdout } = await run(
    "pgbench",
    ["-n", "-M", "prepared", ...clients, ...more, ...variables, "-f", script, work.url],
    { maxBuffer: 16 * 1024 * 1024 },
  );
  const [, rate] = /^tps = ([\d.]+)/m.exec(stdout) ?? [];
  if (rate === undefined) throw new Error(`pgbench reported no rate: ${stdout}`);
  return Number(rate);
}

async function runDriver(site: BenchSite, work: BareWork): Promise<number> {
  const runner = startHelper("bare-sql-process.ts", site.teardown);
  try {
    const values = work.statements.map((statement) => statement.values.map(sqlText));
    return await ask<number>(runner, { ...work, values });
  } finally {
    await runner.stop();
  }
}

/** The draw for the value at this place; null if there is none. */
export function drawAt(draws: readonly Draw[], statement: number, position: number): number | null {
  const found = draws.findIndex(({ places }) =>
    places.some((place) => place.statement === statement && place.position === position),
  );
  return found < 0 ? null : found;
}

/** Formats a value for PostgreSQL. */
export function sqlText(value: SqlValue): string {
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString("hex")}`;
  if (!Array.isArray(value)) return String(value);
  const items = value.map((item: SqlValue) =>
    item === null ? "NULL" : `"${sqlText(item).replaceAll(/["\\]/g, "\\$&")}"`,
  );
  return `{${items.join(",")}}`;
}
