// `npm test` and CI: runs every test and all static checks. The last line adds them up; a check counts as a test. With arguments,
// which go to vitest (`npm test -- src/platform/db`), the checks are skipped.
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { run, runChecks } from "./check.js";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const report = join(root, "test-results/vitest.json");
const filters = process.argv.slice(2);

// Long tests mostly wait for a block or a retry, so the checks run beside them, at a low priority that delays no test.
const [tests, checks] = await Promise.all([
  runTests(),
  filters.length === 0
    ? runChecks({ atOnce: 1, priority: 10 })
    : { passed: 0, failed: 0, output: [] },
]);
console.log(checks.output.join("\n"));
if (filters.length === 0) console.log(listSlowest(15).join("\n"));

const passed = checks.passed + tests.passed;
const failed = checks.failed + tests.failed;
process.exitCode = failed === 0 ? 0 : 1;
console.log(`${passed} passed, ${failed} failed, ${tests.skipped} skipped`);

async function runTests() {
  mkdirSync(dirname(report), { recursive: true });
  rmSync(report, { force: true });
  const { code } = await run(
    [
      "vitest",
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
      ...filters,
    ],
    {
      stdio: ["ignore", "inherit", "inherit"],
      env: { SLUICE_TESTS_STARTED_AT: String(Date.now()) },
    },
  );
  const counted = countTests();
  // A run that failed without a failed test (a crash, an unhandled rejection, nothing to run) is a failure too.
  if (code !== 0 && counted.failed === 0) counted.failed = 1;
  return counted;
}

function readReport() {
  try {
    return JSON.parse(readFileSync(report, "utf8"));
  } catch {
    return null;
  }
}

/** The files that took longest: when the whole run takes too long, start with these. */
function listSlowest(count) {
  const { testResults = [] } = readReport() ?? {};
  const files = testResults.map(({ name, startTime, endTime }) => ({
    name: relative(root, name),
    seconds: Math.round((endTime - startTime) / 1000),
  }));
  const slowest = files.sort((a, b) => b.seconds - a.seconds).slice(0, count);
  return [
    `The ${slowest.length} slowest test files:`,
    ...slowest.map(({ name, seconds }) => `${String(seconds).padStart(6)} s  ${name}`),
  ];
}

function countTests() {
  const result = readReport();
  if (result === null) return { passed: 0, failed: 1, skipped: 0 };
  // A file that cannot be loaded has no failed tests: it counts as one.
  const unloadable = result.testResults.filter(
    (file) =>
      file.status === "failed" && !file.assertionResults.some(({ status }) => status === "failed"),
  );
  return {
    passed: result.numPassedTests,
    failed: result.numFailedTests + unloadable.length,
    skipped: result.numPendingTests + result.numTodoTests,
  };
}
