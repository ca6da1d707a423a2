import { spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Command, Option } from "commander";
import { startEmbedded } from "../../src/platform/db/embedded.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { listOf } from "../support/run-in-folder.ts";
import { type Harmless, type Judged, judgeMutants, scoreOf } from "./judge-mutants.ts";
import { type MutateModule, mutateModules } from "./modules.ts";
import { createTypeJudge } from "./refused-by-types.ts";
import { readReport } from "./report.ts";

/*
 * `npm run mutate -- --only ledger,rates --record`: changes the code that guards money in one place after the other and runs the tests
 * of that module. Lists the changes that no test noticed; exits with 1 if a module's score is below the recorded one, which `--record`
 * replaces. `--only deposits --files tally,tolerance` changes these files of a module alone, for which no score is recorded.
 */

const names = mutateModules.map(({ name }) => name);
const nameOf = (file: string): string => basename(file, ".ts");
const fileNames = mutateModules.flatMap(({ files }) => files.map(nameOf));
const options = new Command("mutate")
  .option("--only <modules>", `some of ${names.join(", ")}`, listOf(names), names)
  .addOption(
    new Option("--files <names>", "some of the modules' files, such as tally,tolerance")
      .argParser(listOf(fileNames))
      .conflicts("record"),
  )
  .option("--workers <count>", "test processes", Number, 1)
  .option("--record", "make the new scores the recorded ones", false)
  .parse()
  .opts<{
    readonly only: readonly string[];
    readonly files?: readonly string[];
    readonly workers: number;
    readonly record: boolean;
  }>();

const root = join(import.meta.dirname, "../..");
const scoresFile = join(import.meta.dirname, "scores.json");
type Scores = Readonly<Record<string, { readonly score: number; readonly mutants: number }>>;
const recorded = await readScores();
const harmless = JSON.parse(
  await readFile(join(import.meta.dirname, "harmless.json"), "utf8"),
) as readonly Harmless[];
const isRefused = createTypeJudge(root);
const logs = join(root, "test-results/mutate");
await mkdir(logs, { recursive: true });

const home = await mkdtemp(join(tmpdir(), "sluice-mutate-"));
// The server may run as another user.
await chmod(home, 0o755);
const stopped = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const)
  process.once(name, () => {
    process.exitCode = 130;
    stopped.abort();
  });

const chosen = mutateModules
  .filter(({ name }) => options.only.includes(name))
  .map((module) => ({ ...module, files: module.files.filter(isAskedFor) }))
  .filter(({ files }) => files.length > 0);
const scores: Record<string, Scores[string]> = {};
const server = chosen.some(({ database }) => database) ? await startServer() : null;
try {
  for (const module of chosen) {
    const judged = await mutate(module);
    if (judged === null) break;
    tell(module, judged);
    scores[module.name] = { score: scoreOf(judged), mutants: judged.counted };
  }
  if (options.record) {
    const all = { ...(await readScores()), ...scores };
    await writeFile(scoresFile, `${JSON.stringify(all, null, 2)}\n`);
  }
} finally {
  await server?.stop();
  await rm(home, { recursive: true, force: true });
}

function isAskedFor(file: string): boolean {
  return options.files === undefined || options.files.includes(nameOf(file));
}

async function readScores(): Promise<Scores> {
  return JSON.parse(await readFile(scoresFile, "utf8")) as Scores;
}

async function startServer(): Promise<Awaited<ReturnType<typeof startEmbedded>>> {
  const settings = ["max_connections=300", "fsync=off", "full_page_writes=off"];
  const started = await startEmbedded({
    folder: join(home, "database"),
    password: "test",
    clock: systemClock,
    settings: settings.flatMap((setting) => ["-c", setting]),
  });
  await migrate(started.url, systemClock, { runChecks: true });
  return started;
}

/** Runs Stryker on a module. Null if it was interrupted; rejects if it did not come to a result. */
async function mutate({ name, files, tests, database }: MutateModule): Promise<Judged | null> {
  const report = join(home, `${name}.json`);
  const config = join(home, `${name}.config.json`);
  await writeFile(
    config,
    JSON.stringify({
      mutate: files,
      testRunner: "vitest",
      vitest: { configFile: "test/mutate/vitest.config.ts", related: false },
      plugins: ["@stryker-mutator/vitest-runner", join(import.meta.dirname, "ignore-messages.ts")],
      ignorers: ["messages"],
      coverageAnalysis: "perTest",
      concurrency: options.workers,
      reporters: ["json", "progress-append-only"],
      jsonReporter: { fileName: report },
      tempDirName: join(home, "trees"),
      allowConsoleColors: false,
      // A busy machine is slow without hanging.
      timeoutMS: 10_000,
    }),
  );
  const log = join(logs, `${name}.log`);
  await runStryker(config, log, {
    SLUICE_MUTATE_TESTS: tests.join(),
    SLUICE_TEST_PROPERTY_MS: "300",
    ...(database && server !== null ? { SLUICE_TEST_DATABASE: server.url } : {}),
  });
  if (stopped.signal.aborted) return null;
  const text = await readFile(report, "utf8").catch((cause: unknown) => {
    throw new Error(`${name} came to no result: ${log}`, { cause });
  });
  const mutants = readReport(text);
  const listed = harmless.filter(({ file }) => files.includes(file));
  return judgeMutants(mutants, listed, isRefused);
}

async function runStryker(
  config: string,
  log: string,
  variables: NodeJS.ProcessEnv,
): Promise<void> {
  const program = join(root, "node_modules/@stryker-mutator/core/bin/stryker.js");
  const output = await open(log, "w");
  const child = spawn(process.execPath, [program, "run", config], {
    cwd: root,
    stdio: ["ignore", output.fd, output.fd],
    env: { ...process.env, ...variables },
  });
  const end = (): boolean => child.kill("SIGINT");
  stopped.signal.addEventListener("abort", end);
  await new Promise((resolve) => child.on("close", resolve));
  stopped.signal.removeEventListener("abort", end);
  await output.close();
}

function tell({ name }: MutateModule, judged: Judged): void {
  for (const { file, line, before, after } of judged.unnoticed)
    console.log(`  ${file}:${line} ${oneLine(before)} -> ${oneLine(after)}`);
  for (const { file, text, reason } of judged.stale)
    console.log(`  no longer unnoticed: ${file} ${text} (${reason})`);
  const score = scoreOf(judged);
  const least = options.files === undefined ? (recorded[name]?.score ?? 0) : 0;
  const outside = `${judged.harmless} harmless, ${judged.refused} do not compile`;
  console.log(`${name}: ${score} % of ${judged.counted} noticed; besides, ${outside}`);
  if (judged.stale.length > 0) process.exitCode = 1;
  if (score >= least || options.record) return;
  console.log(`  below the recorded ${least} %`);
  process.exitCode = 1;
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > 90 ? `${line.slice(0, 90)}…` : line;
}
