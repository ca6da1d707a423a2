// Types and lint in one process for `check.js`: both need TypeScript to parse and resolve everything, which takes longer than
// their own work. Prints JSON: for each check by name, what is wrong (null when nothing is) and the seconds it took.
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ESLint } from "eslint";
import ts from "typescript";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");

/**
 * Of each program the files that are linted as parts of it, and one after the other, because of what they take of memory. The
 * client's own program is the one that is published, and compiled by its own test; its tests are part of everything else's.
 */
const clientTests = "client/src/**/*.test.ts";
const programs = [
  { config: "tsconfig.json", check: "types", lints: ["src", "test", clientTests] },
  { config: "client/tsconfig.json", lints: ["client"], except: [clientTests] },
  {
    config: "web/dashboard/tsconfig.json",
    check: "types of the dashboard",
    lints: ["web/dashboard"],
  },
  { config: "web/page/tsconfig.json", check: "types of the payment page", lints: ["web/page"] },
];

const judgements = { lint: { fault: null, seconds: 0 } };
for (const { config, check, lints, except } of programs) {
  const program = programOf(config);
  if (check !== undefined) await judge(check, () => typeFaults(program));
  await judge("lint", () => lintFaults(lints, except ?? [], program));
}
// Files in no program; the linter looks for one itself.
const elsewhere = programs.flatMap(({ lints }) => lints.map((path) => `${path}/**`));
await judge("lint", () => lintFaults(["."], elsewhere));
console.log(JSON.stringify(judgements));

async function judge(name, findFaults) {
  const startedAt = performance.now();
  const fault = await findFaults();
  const { fault: earlier = null, seconds = 0 } = judgements[name] ?? {};
  judgements[name] = {
    fault: fault === null ? earlier : (earlier ?? "") + fault,
    seconds: seconds + (performance.now() - startedAt) / 1000,
  };
}

/** A tsconfig's program, parsed and bound once, with the errors of the tsconfig itself. */
function programOf(config) {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: stopAt };
  const { options, fileNames, errors } = ts.getParsedCommandLineOfConfigFile(
    join(root, config),
    {},
    host,
  );
  return ts.createProgram({
    rootNames: fileNames,
    options,
    host: ts.createCompilerHost(options, true),
    configFileParsingDiagnostics: errors,
  });
}

/** The same diagnostics as `tsc --project`, without output files. */
function typeFaults(program) {
  const diagnostics = ts.getPreEmitDiagnostics(program);
  return diagnostics.length === 0 ? null : describe(ts.sortAndDeduplicateDiagnostics(diagnostics));
}

/** All calls together find the same as `eslint .`, which creates programs from the same tsconfigs. */
async function lintFaults(files, except, program) {
  const parserOptions = { projectService: false, programs: [program] };
  const eslint = new ESLint({
    cwd: root,
    errorOnUnmatchedPattern: program !== undefined,
    ignorePatterns: except,
    overrideConfig: program === undefined ? [] : [{ languageOptions: { parserOptions } }],
  });
  const results = await eslint.lintFiles(files);
  const formatter = await eslint.loadFormatter("stylish");
  const hasErrors = results.some(({ errorCount }) => errorCount > 0);
  return hasErrors ? formatter.format(results) : null;
}

function stopAt(diagnostic) {
  throw new Error(describe([diagnostic]));
}

function describe(diagnostics) {
  return ts.formatDiagnostics(diagnostics, {
    getCurrentDirectory: () => root,
    getCanonicalFileName: (name) => name,
    getNewLine: () => "\n",
  });
}
