import { execFileSync, spawn } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Command } from "commander";
import { startEmbedded } from "../../src/platform/db/embedded.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { type Mutation, mutations, type NoticingTest } from "./mutations.ts";

/*
 * `npm run mutations -- --only claim,fence --kinds fast`: takes one safety rule after the other out of a copy of the tree and runs the
 * tests that have to notice. Exits with 1 if one of them passes. All runs share a PostgreSQL server.
 */

const kinds = ["fast", "history"] as const;
const options = new Command("mutations")
  .option("--only <parts>", "mutations whose name contains one of these", "")
  .option("--kinds <kinds>", "tests to run: fast, history", kinds.join(","))
  .parse()
  .opts<{ readonly only: string; readonly kinds: string }>();

const root = join(import.meta.dirname, "../..");
const home = await mkdtemp(join(tmpdir(), "sluice-mutations-"));
const tree = join(home, "tree");
// A signal ends the running test; what was begun is then stopped and removed as after the last one.
const stopped = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const)
  process.once(name, () => {
    process.exitCode = 1;
    stopped.abort();
  });
// The server may run as another user.
await chmod(home, 0o755);
await copyTree();
const server = await startEmbedded({
  folder: join(home, "database"),
  password: "test",
  clock: systemClock,
  settings: ["max_connections=300", "fsync=off", "full_page_writes=off"].flatMap((setting) => [
    "-c",
    setting,
  ]),
});
try {
  await migrate(server.url, systemClock, { runChecks: true });
  const chosen = mutations.filter(({ name }) =>
    options.only.split(",").some((part) => name.includes(part)),
  );
  for (const mutation of chosen) if (!stopped.signal.aborted) await judge(mutation);
} finally {
  await server.stop();
  await rm(home, { recursive: true, force: true });
}

async function copyTree(): Promise<void> {
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root });
  for (const path of listed.toString().split("\n")) {
    if (path === "") continue;
    await mkdir(dirname(join(tree, path)), { recursive: true });
    await cp(join(root, path), join(tree, path), { verbatimSymlinks: true });
  }
  await symlink(join(root, "node_modules"), join(tree, "node_modules"));
}

async function judge(mutation: Mutation): Promise<void> {
  const path = join(tree, mutation.file);
  const text = await readFile(path, "utf8");
  const parts = text.split(mutation.before);
  if (parts.length !== 2) throw new Error(`${mutation.name}: ${parts.length - 1} places match`);
  await writeFile(path, parts.join(mutation.after));
  try {
    for (const kind of kinds.filter((each) => options.kinds.includes(each))) {
      const test = mutation[kind];
      const failed = await countFailures(test);
      if (stopped.signal.aborted) return;
      if (failed === 0) process.exitCode = 1;
      const verdict = failed === 0 ? "MISSED " : "noticed";
      console.log(`${verdict} ${mutation.name}: ${kind} ${test.file} ${test.named ?? ""}`);
    }
  } finally {
    await writeFile(path, text);
  }
}

/** Runs the test until its first failure. Rejects if it did not run at all. */
async function countFailures({ file, named }: NoticingTest): Promise<number> {
  const report = join(home, "report.json");
  await rm(report, { force: true });
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const filter = named === undefined ? [] : ["-t", named];
  const reporting = ["--reporter=json", `--outputFile=${report}`];
  const args = [vitest, "run", file, "--bail=1", ...reporting, ...filter];
  const child = spawn(process.execPath, args, {
    cwd: tree,
    stdio: "ignore",
    env: { ...process.env, SLUICE_TEST_DATABASE: server.url },
  });
  const end = (): boolean => child.kill("SIGTERM");
  stopped.signal.addEventListener("abort", end);
  await new Promise((resolve) => child.on("close", resolve));
  stopped.signal.removeEventListener("abort", end);
  if (stopped.signal.aborted) return 0;
  const counted = JSON.parse(await readFile(report, "utf8")) as {
    readonly numPassedTests: number;
    readonly numFailedTests: number;
    readonly numFailedTestSuites: number;
  };
  const { numPassedTests, numFailedTests, numFailedTestSuites } = counted;
  // A file whose preparation fails has no failed test.
  const failed = numFailedTests === 0 ? numFailedTestSuites : numFailedTests;
  if (numPassedTests + failed === 0) throw new Error(`${file} ran no test`);
  return failed;
}
