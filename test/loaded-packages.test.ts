import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";

/*
 * What the long-running processes of a deployment with BTC and ETH load at their start, by the static imports of their sources: each package
 * takes memory as long as the process runs (docs/benchmarks.md). What is needed rarely is loaded at its first use.
 */

const root = join(import.meta.dirname, "..");
const commandLine = ["src/main/cli.ts", "src/main/build/build-program.ts"];
const connections = ["src/main/families/utxo-connection.ts", "src/main/families/evm-connection.ts"];

/** The modules of packages that these sources import, directly or not. */
function modulesLoadedBy(files: readonly string[]): readonly string[] {
  const read = new Set<string>();
  const modules = new Set<string>();
  const open = files.map((file) => join(root, file));
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (read.has(file)) continue;
    read.add(file);
    for (const name of importsOf(file))
      if (name.startsWith(".")) open.push(join(dirname(file), name));
      else if (!name.startsWith("node:")) modules.add(name);
  }
  return [...modules].sort();
}

function packagesOf(modules: readonly string[]): readonly string[] {
  const names = modules.map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
  return [...new Set(names)].sort();
}

/** The modules that a source imports when it is loaded, without those of types only. */
function importsOf(file: string): readonly string[] {
  if (!file.endsWith(".ts")) return [];
  const { statements } = ts.createSourceFile(
    file,
    readFileSync(file, "utf8"),
    ts.ScriptTarget.Latest,
  );
  return statements.flatMap((statement) => {
    const isType =
      (ts.isImportDeclaration(statement) &&
        statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword) ||
      (ts.isExportDeclaration(statement) && statement.isTypeOnly);
    const isImport = ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement);
    if (!isImport || isType || statement.moduleSpecifier === undefined) return [];
    return ts.isStringLiteral(statement.moduleSpecifier) ? [statement.moduleSpecifier.text] : [];
  });
}

/** What the command line, the configuration and the addresses of all families need. */
const everywhere = [
  "@bitauth/libauth",
  "@noble/curves",
  "@noble/hashes",
  "@scure/base",
  "commander",
  "jsonc-parser",
  "pino",
  "toml-eslint-parser",
  "zod",
];

describe("the packages that a process loads at its start", () => {
  it("are in an api neither adapters nor key derivation, WebAssembly, or clients of HTTP and mail", () => {
    const modules = modulesLoadedBy([...commandLine, "src/main/processes/run-api-process.ts"]);
    const more = ["fastify", "jose", "otpauth", "pg", "prom-client", "uqr"];
    expect(packagesOf(modules)).toEqual([...everywhere, ...more].sort());
    expect(modules.filter((name) => name.startsWith("@bitauth/"))).toEqual([
      "@bitauth/libauth/build/lib/format/base-convert.js",
    ]);
  });

  it("are in a worker the libraries of its chains, and none of passwords, mail or push messages", () => {
    const files = [...commandLine, ...connections, "src/main/processes/run-worker-process.ts"];
    const more = ["@scure/bip32", "@scure/btc-signer", "pg", "prom-client", "undici"];
    expect(packagesOf(modulesLoadedBy(files))).toEqual([...everywhere, ...more].sort());
  });

  it("are in a signer neither a server nor a database or a client of HTTP", () => {
    const files = [...commandLine, "src/main/processes/run-signer-process.ts"];
    const more = ["@node-rs/argon2", "@scure/bip32", "@scure/bip39", "@scure/btc-signer"];
    expect(packagesOf(modulesLoadedBy(files))).toEqual([...everywhere, ...more].sort());
  });
});
