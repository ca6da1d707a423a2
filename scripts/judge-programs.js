// Types and lint in one process, for `check.js`: both need TypeScript to read and resolve everything, which takes longer than
// what either does with it. Prints as JSON, for each check by its name, what is wrong (null when nothing is) and the seconds it took.
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ESLint } from "eslint";
import ts from "typescript";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");

/**
 * Of each program the files that are linted as parts of it. A later one that names a file has it. The client's program is the
 * one that is published, and compiled by its own test; its tests belong to the program of everything else.
 */
const programs = [
  { config: "tsconfig.json", check: "types", lints: ["src/**", "test/**"] },
  { config: "client/tsconfig.json", lints: ["client/src/**"] },
  { config: "tsconfig.json", lints: ["client/src/**/*.test.ts"] },
  {
    config: "web/dashboard/tsconfig.json",
    check: "types of the dashboard",
    lints: ["web/dashboard/**"],
  },
  { config: "web/page/tsconfig.json", check: "types of the payment page", lints: ["web/page/**"] },
];

const built = new Map();
const judgements = {};
for (const { config, check } of programs) {
  if (check !== undefined) await judge(check, () => typeFaults(programOf(config)));
}
await judge("lint", lintFaults);
console.log(JSON.stringify(judgements));

async function judge(name, findFaults) {
  const startedAt = performance.now();
  const fault = await findFaults();
  judgements[name] = { fault, seconds: (performance.now() - startedAt) / 1000 };
}

/** What a tsconfig describes, read and bound once, with the errors of the tsconfig itself. */
function programOf(config) {
  const known = built.get(config);
  if (known !== undefined) return known;
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: stopAt };
  const { options, fileNames, errors } = ts.getParsedCommandLineOfConfigFile(
    join(root, config),
    {},
    host,
  );
  const program = ts.createProgram({
    rootNames: fileNames,
    options,
    host: ts.createCompilerHost(options, true),
    configFileParsingDiagnostics: errors,
  });
  built.set(config, program);
  return program;
}

/** The same as `tsc --project` finds, which writes nothing here. */
function typeFaults(program) {
  const diagnostics = ts.getPreEmitDiagnostics(program);
  return diagnostics.length === 0 ? null : told(ts.sortAndDeduplicateDiagnostics(diagnostics));
}

/** The same as `eslint .` finds, which makes programs of its own from the same tsconfigs. A file of no program is an error. */
async function lintFaults() {
  const eslint = new ESLint({
    cwd: root,
    overrideConfig: programs.map(({ config, lints }) => ({
      files: lints,
      languageOptions: {
        parserOptions: { projectService: false, programs: [programOf(config)] },
      },
    })),
  });
  const results = await eslint.lintFiles(["."]);
  const formatter = await eslint.loadFormatter("stylish");
  const hasErrors = results.some(({ errorCount }) => errorCount > 0);
  return hasErrors ? formatter.format(results) : null;
}

function stopAt(diagnostic) {
  throw new Error(told([diagnostic]));
}

function told(diagnostics) {
  return ts.formatDiagnostics(diagnostics, {
    getCurrentDirectory: () => root,
    getCanonicalFileName: (name) => name,
    getNewLine: () => "\n",
  });
}
