import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Harmless, judgeMutants, scoreOf } from "./judge-mutants.ts";
import { mutateModules } from "./modules.ts";
import { createTypeJudge } from "./refused-by-types.ts";
import { type Mutant, readReport } from "./report.ts";

type Scores = Readonly<Record<string, { readonly score: number; readonly mutants: number }>>;

/* `npm run mutate` runs the mutants; here, how they are read, judged and listed. */

const root = join(import.meta.dirname, "../..");

const mutant: Mutant = {
  file: "src/a.ts",
  line: 2,
  text: "return a < b;",
  before: "a < b",
  after: "a <= b",
  state: "unnoticed",
  start: 0,
  end: 5,
};

describe("a report of Stryker", () => {
  it("says what was changed where, and whether a test noticed", () => {
    const source = "const a = 1;\n  return a < b;\n";
    const location = { start: { line: 2, column: 10 }, end: { line: 2, column: 15 } };
    const mutants = ["Killed", "Timeout", "Survived", "NoCoverage", "Ignored"].map((status) => ({
      location,
      status,
      replacement: "a <= b",
    }));
    const read = readReport(JSON.stringify({ files: { "src/a.ts": { source, mutants } } }));
    expect(read.map(({ state }) => state)).toEqual([
      "noticed",
      "noticed",
      "unnoticed",
      "unnoticed",
      "outside",
    ]);
    expect(read[2]).toEqual({ ...mutant, start: 22, end: 27 });
    expect(source.slice(22, 27)).toBe("a < b");
  });
});

describe("the score", () => {
  const noticed: Mutant = { ...mutant, state: "noticed" };
  const entry: Harmless = { ...mutant, reason: "the same" };

  it("is the share that was noticed of all that compile", () => {
    const mutants = [noticed, noticed, mutant, { ...noticed, after: "" }];
    const judged = judgeMutants(mutants, [], ({ after }) => after === "");
    expect(judged).toMatchObject({ counted: 3, noticed: 2, refused: 1, unnoticed: [mutant] });
    expect(scoreOf(judged)).toBe(66.6);
    expect(scoreOf({ counted: 0, noticed: 0 })).toBe(0);
  });

  it("leaves out what is listed as harmless, by its line and change", () => {
    const judged = judgeMutants([noticed, mutant], [entry], () => false);
    expect(judged).toMatchObject({ counted: 1, noticed: 1, harmless: 1, unnoticed: [], stale: [] });
    for (const other of [{ text: "return b < a;" }, { after: "true" }, { file: "src/b.ts" }])
      expect(judgeMutants([{ ...mutant, ...other }], [entry], () => false)).toMatchObject({
        unnoticed: [{ ...mutant, ...other }],
        stale: [entry],
      });
  });

  it("reports an entry of the list that a test notices now", () => {
    expect(judgeMutants([noticed], [entry], () => false).stale).toEqual([entry]);
  });
});

describe("types", () => {
  it("refuse a mutant that does not compile, and no other", () => {
    const file = "src/platform/kernel/rounding.ts";
    const text = readFileSync(join(root, file), "utf8");
    const isRefused = createTypeJudge(root);
    const judge = (before: string, after: string): boolean => {
      const start = text.indexOf(before);
      return isRefused({ ...mutant, file, before, after, start, end: start + before.length });
    };
    expect(judge('rounding === "up"', 'rounding === ""')).toBe(true);
    expect(judge('rounding === "up"', 'rounding !== "up"')).toBe(false);
    expect(judge('rounding === "up"', "true")).toBe(false);
  });
});

describe("the lists", () => {
  it("name files and tests that exist, each file in one module", () => {
    const files = mutateModules.flatMap((module) => module.files);
    for (const file of [...files, ...mutateModules.flatMap(({ tests }) => tests)])
      expect(existsSync(join(root, file)), file).toBe(true);
    expect(new Set(files).size).toBe(files.length);
  });

  it("record scores of modules that exist", () => {
    const names = mutateModules.map(({ name }) => name);
    for (const [name, { score, mutants }] of Object.entries(readJson("scores.json") as Scores)) {
      expect(names).toContain(name);
      expect(score, name).toBeGreaterThan(0);
      expect(mutants, name).toBeGreaterThan(0);
    }
  });

  it("give reasons for harmless changes of lines that exist", () => {
    for (const { file, text, before, reason } of readJson("harmless.json") as readonly Harmless[]) {
      const lines = readFileSync(join(root, file), "utf8").split("\n");
      expect(
        lines.map((line) => line.trim()),
        `${file} ${text}`,
      ).toContain(text);
      expect(text.includes(before.split("\n")[0] ?? ""), text).toBe(true);
      expect(reason.length, text).toBeGreaterThan(10);
    }
  });

  function readJson(name: string): unknown {
    return JSON.parse(readFileSync(join(import.meta.dirname, name), "utf8"));
  }
});
