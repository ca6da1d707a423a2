import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";
import type { Mutant } from "./report.ts";

/**
 * Tells which mutants do not compile: they cannot reach main, because CI checks types. Each is judged by the diagnostics of its own
 * file alone, so that one which breaks only its callers counts as compiling.
 */
export function createTypeJudge(root: string): (mutant: Mutant) => boolean {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(root, "tsconfig.json"),
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
        throw new Error(ts.flattenDiagnosticMessageText(messageText, "\n"));
      },
    },
  );
  if (config === undefined) throw new Error("tsconfig.json cannot be read");
  // What is merely left over, as after a condition that is always true, is no error of types.
  const settings = {
    ...config.options,
    noUnusedLocals: false,
    noUnusedParameters: false,
    allowUnreachableCode: true,
  };
  const changed = new Map<string, { readonly text: string; readonly version: number }>();
  let version = 0;
  const files = new Set<string>();
  const service = ts.createLanguageService({
    getScriptFileNames: () => [...files],
    getScriptVersion: (file) => String(changed.get(file)?.version ?? 0),
    getScriptSnapshot: (file) => {
      const text = changed.get(file)?.text ?? ts.sys.readFile(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => settings,
    getDefaultLibFileName: (used) => ts.getDefaultLibFilePath(used),
    fileExists: (path) => ts.sys.fileExists(path),
    readFile: (path, encoding) => ts.sys.readFile(path, encoding),
    readDirectory: (...asked) => ts.sys.readDirectory(...asked),
    directoryExists: (path) => ts.sys.directoryExists(path),
    getDirectories: (path) => ts.sys.getDirectories(path),
  });
  const isWrong = (path: string): boolean =>
    [...service.getSyntacticDiagnostics(path), ...service.getSemanticDiagnostics(path)].some(
      ({ category }) => category === ts.DiagnosticCategory.Error,
    );
  return ({ file, start, end, after }) => {
    const path = resolve(root, file);
    const text = readFileSync(path, "utf8");
    const put = (changedText: string): void => {
      version += 1;
      changed.set(path, { text: changedText, version });
    };
    if (!files.has(path)) {
      files.add(path);
      if (isWrong(path)) throw new Error(`${file} does not compile as it is`);
    }
    put(text.slice(0, start) + after + text.slice(end));
    try {
      return isWrong(path);
    } finally {
      put(text);
    }
  };
}
