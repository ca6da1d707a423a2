// All static checks. `npm run check` prints what is wrong and exits non-zero; `npm test` runs the same and counts each check as a
// test.
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { setPriority } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const programs = join(root, "node_modules/.bin");
/** The folders whose imports are checked. */
const cruisedFolders = ["src", "web/dashboard", "web/page"];

/** Each command with its checks; the slow ones first. */
const commands = [
  {
    checks: ["lint", "types", "types of the dashboard", "types of the payment page"],
    // What it parses lives long: a larger young generation copies it less often.
    command: [
      process.execPath,
      "--max-semi-space-size=64",
      "--max-old-space-size=6144",
      join(root, "scripts/judge-programs.js"),
    ],
    judge: ({ code, stdout }) => (code === 0 ? JSON.parse(stdout) : null),
  },
  { checks: ["unused code"], command: ["knip"] },
  {
    checks: ["import rules"],
    command: [
      "depcruise",
      ...cruisedFolders,
      "--config",
      "dependency-cruiser.cjs",
      "--output-type",
      "json",
    ],
    judge: ({ stdout }) => ({ "import rules": { fault: judgeImports(JSON.parse(stdout)) } }),
  },
  { checks: ["format"], command: ["biome", "check", "--error-on-warnings", "."] },
];

/**
 * Runs all checks, `atOnce` commands at a time and at the operating system's `priority` (0 is normal, 19 the lowest). Resolves
 * with the numbers of `passed` and `failed`, and their `output`.
 */
export async function runChecks({ atOnce, priority }) {
  const waiting = [...commands];
  const output = [];
  let passed = 0;
  let failed = 0;
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      for (const { name, fault, seconds } of await judgementsOf(next, priority)) {
        output.push(`${fault === null ? "ok    " : "FAILED"} ${name} (${seconds.toFixed(1)} s)`);
        if (fault === null) passed += 1;
        else {
          output.push(fault.trim().replaceAll(/^/gm, "    "));
          failed += 1;
        }
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { passed, failed, output };
}

/** What a command found in each of its checks. A check without a result, as after a crash, has failed. */
async function judgementsOf({ checks, command, judge = judgeCode(checks) }, priority) {
  const startedAt = performance.now();
  const ended = await run(command, { priority });
  const seconds = (performance.now() - startedAt) / 1000;
  let found = null;
  try {
    found = judge(ended);
  } catch {
    // Its output shows why nothing can be parsed.
  }
  const fault = ended.output || `exited with ${ended.code} without output`;
  return checks.map((name) => ({ name, fault, seconds, ...found?.[name] }));
}

function judgeCode(checks) {
  return ({ code }) =>
    code === 0 ? Object.fromEntries(checks.map((name) => [name, { fault: null }])) : null;
}

/**
 * Runs a program from node_modules, or an absolute path. Resolves with its exit code, all it printed as `output`, and its
 * standard output as `stdout`.
 */
export function run(command, { priority = 0, ...options } = {}) {
  return new Promise((done) => {
    const [program, ...args] = command;
    const child = spawn(resolve(programs, program), args, {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      ...options,
      env: { ...process.env, PATH: programs + delimiter + process.env.PATH, ...options.env },
    });
    if (child.pid !== undefined && priority !== 0) setPriority(child.pid, priority);
    let output = "";
    let stdout = "";
    child.stdout?.setEncoding("utf8").on("data", (chunk) => {
      output += chunk;
      stdout += chunk;
    });
    child.stderr?.setEncoding("utf8").on("data", (chunk) => {
      output += chunk;
    });
    child.on("error", (error) => done({ code: 1, output: error.message, stdout: "" }));
    child.on("close", (code) => done({ code, output, stdout }));
  });
}

/** A cruise over no files finds no violations, so every source file must be among the cruised modules. */
function judgeImports(cruise) {
  const cruised = new Set(cruise.modules.map((module) => module.source));
  const missed = cruisedFolders.flatMap(sourceFiles).filter((file) => !cruised.has(file));
  if (missed.length > 0) return `not cruised: ${missed.join(", ")}`;
  const violations = cruise.summary.violations.filter(({ rule }) => rule.severity === "error");
  if (violations.length === 0) return null;
  return violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`).join("\n");
}

function sourceFiles(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  if (!existsSync(programs)) {
    console.error('Nothing is installed yet: run "npm test" or "node scripts/setup.js".');
    process.exit(1);
  }
  const { passed, failed, output } = await runChecks({ atOnce: 2, priority: 0 });
  console.log(output.join("\n"));
  console.log(`${passed} checks passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
