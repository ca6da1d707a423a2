// Everything about the code that can be judged without running it. `npm run check` prints what is wrong and ends non-zero;
// `npm test` runs the same and counts each check as a test.
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { setPriority } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const programs = join(root, "node_modules/.bin");

/** The slow ones first. */
const checks = [
  { name: "lint", command: ["eslint", "."] },
  { name: "types", command: ["tsc", "-p", "."] },
  { name: "types of the dashboard", command: ["tsc", "-p", "web/dashboard"] },
  { name: "types of the payment page", command: ["tsc", "-p", "web/page"] },
  { name: "unused code", command: ["knip"] },
  {
    name: "import rules",
    command: ["depcruise", "src", "--config", "dependency-cruiser.cjs", "--output-type", "json"],
    judge: judgeImports,
  },
  { name: "format", command: ["biome", "check", "--error-on-warnings", "."] },
];

/**
 * Runs all checks, `atOnce` of them at a time and at the operating system's `priority` (0 is the usual one, 19 the lowest).
 * Resolves with how many `passed` and `failed`, and with what is to be `told` of each.
 */
export async function runChecks({ atOnce, priority }) {
  const waiting = [...checks];
  const told = [];
  let failed = 0;
  const work = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const startedAt = performance.now();
      const fault = await faultOf(check, priority);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      told.push(`${fault === null ? "ok    " : "FAILED"} ${check.name} (${seconds} s)`);
      if (fault !== null) told.push(fault.trim().replaceAll(/^/gm, "    "));
      if (fault !== null) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { passed: checks.length - failed, failed, told };
}

async function faultOf({ command, judge }, priority) {
  const { code, output } = await run(command, { priority });
  if (judge !== undefined) return judge(output);
  return code === 0 ? null : output;
}

/** Runs a program of node_modules; resolves with its exit code and everything that it printed. */
export function run(command, { priority = 0, ...options } = {}) {
  return new Promise((resolve) => {
    const [program, ...args] = command;
    const child = spawn(join(programs, program), args, {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      ...options,
      env: { ...process.env, PATH: programs + delimiter + process.env.PATH, ...options.env },
    });
    if (child.pid !== undefined && priority !== 0) setPriority(child.pid, priority);
    let output = "";
    const keep = (chunk) => {
      output += chunk;
    };
    child.stdout?.setEncoding("utf8").on("data", keep);
    child.stderr?.setEncoding("utf8").on("data", keep);
    child.on("error", (error) => resolve({ code: 1, output: error.message }));
    child.on("close", (code) => resolve({ code, output }));
  });
}

/** A cruise over no files finds no violations: every source file has to be among the modules cruised. */
function judgeImports(output) {
  let cruise;
  try {
    cruise = JSON.parse(output);
  } catch {
    return output;
  }
  const cruised = new Set(cruise.modules.map((module) => module.source));
  const missed = sourceFiles("src").filter((file) => !cruised.has(file));
  if (missed.length > 0) return `not cruised: ${missed.join(", ")}`;
  const violations = cruise.summary.violations.filter(({ rule }) => rule.severity === "error");
  if (violations.length === 0) return null;
  return violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`).join("\n");
}

function sourceFiles(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  if (!existsSync(programs)) {
    console.error('Nothing is installed yet: run "npm test" or "node scripts/setup.js".');
    process.exit(1);
  }
  const { passed, failed, told } = await runChecks({ atOnce: 2, priority: 0 });
  console.log(told.join("\n"));
  console.log(`${passed} checks passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
