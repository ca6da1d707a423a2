/**
 * Shows that the code keeps the style that matters (docs of each rule in its name). Every rule reads the sources
 * themselves and lists each offence as `file:line what`.
 */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const thisFile = "test/tidy.test.ts";

const limits = { fileLines: 350, testFileLines: 600, functionLines: 70 };

type SourceFile = {
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
  readonly isTest: boolean;
};

const sources: readonly SourceFile[] = ["src", "test", "client", "web"]
  .flatMap((folder) => [...filesBelow(folder, ".ts"), ...filesBelow(folder, ".tsx")])
  .filter((path) => !/\.gen\.ts$|\.config\.ts$|^(?:web|client)\/dist\//.test(path))
  .map((path) => {
    const text = readFileSync(join(root, path), "utf8");
    return {
      path,
      text,
      tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true),
      isTest: isTestFile(path) || path.startsWith("test/"),
    };
  });

function isTestFile(path: string): boolean {
  return /\.test\.tsx?$/.test(path);
}

const product = sources.filter(({ isTest }) => !isTest);

function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !path.includes("node_modules"))
    .sort();
}

/** Lines that match, as offences. */
function lines(files: readonly SourceFile[], pattern: RegExp): string[] {
  return files
    .filter(({ path }) => path !== thisFile)
    .flatMap(({ path, text }) =>
      text.split("\n").flatMap((line, index) => {
        const found = pattern.exec(line);
        return found === null ? [] : [`${path}:${index + 1} ${found[0].trim()}`];
      }),
    );
}

/** Syntax nodes for which `judge` names a fault, as offences. */
function nodes(
  files: readonly SourceFile[],
  judge: (node: ts.Node, file: SourceFile) => string | null,
): string[] {
  return files.flatMap((file) => {
    const offences: string[] = [];
    const visit = (node: ts.Node): void => {
      const fault = judge(node, file);
      if (fault !== null) offences.push(`${file.path}:${lineOf(node, file)} ${fault}`);
      ts.forEachChild(node, visit);
    };
    visit(file.tree);
    return offences;
  });
}

function lineOf(node: ts.Node, { tree }: SourceFile): number {
  return tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
}

function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  return ts.isTemplateExpression(node) ? node.head.text : null;
}

function importedPath(node: ts.Node): string | null {
  const isImport = ts.isImportDeclaration(node) || ts.isExportDeclaration(node);
  const from = isImport ? node.moduleSpecifier : undefined;
  return from !== undefined && ts.isStringLiteral(from) ? from.text : null;
}

describe("the sources", () => {
  it("are all read", () => {
    expect(product.length).toBeGreaterThan(50);
    expect(sources.length).toBeGreaterThan(product.length);
  });

  it("are named in kebab-case, after what they export, never utils or helpers", () => {
    const banned =
      /(^|[-.])(utils?|helpers?|common|managers?|services?|misc|shared)([-.]|$)|^index\./;
    const offences = sources
      .map(({ path }) => path)
      .filter(
        (path) =>
          !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*\.tsx?$/.test(basename(path)) ||
          path.split("/").some((part) => banned.test(part)),
      );
    expect(offences).toEqual([]);
  });

  it("export no manager, helper or util", () => {
    expect(
      lines(
        product,
        /export (?:async )?(?:function|const|class|type) \w*(?:Manager|Helper|Utils?)\b/,
      ),
    ).toEqual([]);
  });

  it("contain no TODO, FIXME or HACK", () => {
    expect(lines(sources, /\b(TODO|FIXME|HACK)\b/)).toEqual([]);
  });

  it("are short, or named in a warning", () => {
    const lengths = sources.map(({ path, text, isTest }) => ({
      path,
      count: text.split("\n").length - 1,
      limit: isTest ? limits.testFileLines : limits.fileLines,
    }));
    const long = lengths.filter(({ count, limit }) => count > limit);
    for (const { path, count, limit } of long)
      console.warn(`${path} has ${count} lines; consider splitting it at ${limit}`);
    expect(lengths.filter(({ count, limit }) => count > 2 * limit)).toEqual([]);
  });

  it("have functions that fit on a screen", () => {
    const offences = nodes(product, (node, file) => {
      if (!ts.isFunctionLike(node)) return null;
      const count = ownLines(node, file);
      return count > limits.functionLines ? `function of ${count} lines` : null;
    });
    expect(offences).toEqual([]);
  });

  /** Without the functions inside: one that returns a set of closures is read closure by closure, as a class is. */
  function ownLines(node: ts.Node, file: SourceFile): number {
    const end = file.tree.getLineAndCharacterOfPosition(node.getEnd()).line + 1;
    let count = end - lineOf(node, file) + 1;
    const subtract = (inner: ts.Node): void => {
      if (ts.isFunctionLike(inner)) {
        const innerEnd = file.tree.getLineAndCharacterOfPosition(inner.getEnd()).line + 1;
        count -= innerEnd - lineOf(inner, file);
      } else {
        ts.forEachChild(inner, subtract);
      }
    };
    ts.forEachChild(node, subtract);
    return count;
  }

  it("do not spread an object literal into another one", () => {
    const offences = nodes(sources, (node) => {
      if (!ts.isSpreadAssignment(node) || !ts.isObjectLiteralExpression(node.expression))
        return null;
      return ts.isObjectLiteralExpression(node.parent) ? node.getText().slice(0, 60) : null;
    });
    expect(offences).toEqual([]);
  });

  it("use no float for an amount", () => {
    const amount = String.raw`[\w.?!()]*(?:units|amount|balance|fee|paid)\w*`;
    const files = product.filter(({ path }) => !path.startsWith("src/sandbox/"));
    expect(lines(files, /\bparseFloat\(|\.toFixed\(|\.toPrecision\(/i)).toEqual([]);
    expect(lines(files, new RegExp(String.raw`\bNumber\(${amount}\)`, "i"))).toEqual([]);
    expect(lines(files, /\b(?:units|amount|balance|fee)\w*: number\b/i)).toEqual([]);
  });

  it("pass the time to SQL as a parameter", () => {
    const clock =
      /\b(?:now\(\)|current_timestamp|(?:clock|statement|transaction)_timestamp\(\)|localtimestamp)/i;
    const migrations = filesBelow("db/migrations", ".sql").flatMap((path) =>
      readFileSync(join(root, path), "utf8")
        .split("\n")
        .flatMap((line, index) =>
          clock.test(line.replace(/--.*$/, "")) ? [`${path}:${index + 1} ${line.trim()}`] : [],
        ),
    );
    // The check that compares the process's clock with the database server's.
    const clockCheck = "src/platform/db/clock-guard.ts";
    const statements = nodes(product, (node, { path }) => {
      const text = textOf(node);
      if (text === null || !isSql(text) || !clock.test(text) || path === clockCheck) return null;
      return "now() in SQL";
    });
    expect([...migrations, ...statements]).toEqual([]);
  });

  function isSql(text: string): boolean {
    return /^\s*(?:select\s|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s|with\s+(?:recursive\s+)?\w+(?:\s*\([\w\s,]*\))?\s+as\s)/.test(
      text,
    );
  }

  it("keep SQL in stores", () => {
    const files = product.filter(
      ({ path }) =>
        path.startsWith("src/") &&
        !path.endsWith(".store.ts") &&
        !path.startsWith("src/platform/db/"),
    );
    const offences = nodes(files, (node) => {
      const text = textOf(node);
      return text !== null && isSql(text) ? text.trim().split("\n")[0]!.slice(0, 60) : null;
    });
    expect(offences).toEqual([]);
  });

  it("name each statement `store.what-it-does`, once", () => {
    const seen = new Map<string, string>();
    const offences = nodes(product, (node, { path }) => {
      if (!ts.isCallExpression(node) || node.expression.getText() !== "statement") return null;
      const name = node.arguments[0] === undefined ? null : textOf(node.arguments[0]);
      if (name === null) return null;
      if (!/^[a-z]+(?:-[a-z]+)*\.[a-z]+(?:-[a-z]+)*-?$/.test(name))
        return `${name} is no such name`;
      const before = seen.get(name);
      seen.set(name, path);
      return before === undefined ? null : `${name} is also in ${before}`;
    });
    expect(offences).toEqual([]);
  });

  it("have no default exports and no barrels", () => {
    const offences = nodes(product, (node) => {
      if (ts.isExportAssignment(node)) return "default export";
      if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) return "re-export";
      const modifiers = ts.canHaveModifiers(node) ? ts.getModifiers(node) : undefined;
      const isDefault =
        modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword) ?? false;
      return isDefault ? "default export" : null;
    });
    expect(offences).toEqual([]);
  });

  it("write relative imports with their extension", () => {
    const offences = nodes(sources, (node) => {
      const path = importedPath(node);
      return path?.startsWith(".") === true && !/\.(tsx?|json|js|css|svg)$/.test(path)
        ? path
        : null;
    });
    expect(offences).toEqual([]);
  });

  it("have tests without mocks of our code, fake timers, retries and skips", () => {
    const tests = sources.filter(({ isTest }) => isTest);
    expect(lines(tests, /\bvi\.(?:mock|doMock|hoisted|useFakeTimers|spyOn)\b/)).toEqual([]);
    // A whole suite that cannot run here is announced by test/support, with the reason as its name.
    const files = tests.filter(({ path }) => isTestFile(path));
    expect(lines(files, /\b(?:test|it|describe)\.(?:skip|only|todo|fails|skipIf)\b/)).toEqual([]);
    expect(lines(tests, /\bretry\s*:/)).toEqual([]);
  });

  it("have an assertion in every test", () => {
    const asserts = /\bexpect|\bassert|\bfc\.|\bthrow\b|\buntil\w*\(|\bwait\w*\(/i;
    const tests = sources.filter(({ path }) => isTestFile(path));
    // A function that tests share may do the asserting.
    const shared = sources
      .filter(({ path, text }) => path.startsWith("test/") || /from "vitest"/.test(text))
      .flatMap(functionsOf)
      .filter(({ text }) => asserts.test(text));
    const names = new Set(shared.map(({ name }) => name));
    const offences = nodes(tests, (node) => {
      const body = testBody(node);
      if (body === null || asserts.test(body)) return null;
      const called = [...body.matchAll(/\b(\w+)\(/g)].map(([, name]) => name ?? "");
      return called.some((name) => names.has(name)) ? null : body.slice(0, 60);
    });
    expect(offences).toEqual([]);
  });

  /** The text of the function that a call of `test` runs; null for any other node. */
  function testBody(node: ts.Node): string | null {
    if (!ts.isCallExpression(node)) return null;
    if (!/^(?:test|it)(?:\.each\([\s\S]*\))?$/.test(node.expression.getText())) return null;
    return node.arguments.find((argument) => ts.isFunctionLike(argument))?.getText() ?? null;
  }

  function functionsOf({ tree }: SourceFile): { readonly name: string; readonly text: string }[] {
    const found: { readonly name: string; readonly text: string }[] = [];
    const visit = (node: ts.Node): void => {
      const isNamed = ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node);
      if (isNamed && node.name !== undefined) {
        found.push({ name: node.name.getText(), text: node.getText() });
      }
      ts.forEachChild(node, visit);
    };
    visit(tree);
    return found;
  }

  it("have no section banners", () => {
    expect(lines(sources, /^\s*(?:\/\/|\*|\/\*)\s*[-=*#]{4,}/)).toEqual([]);
  });

  it("contain no key", () => {
    expect(
      lines(product, /\b[xtyz]prv[0-9A-Za-z]{50,}|PRIVATE KEY-----|0x?ac0974bec39a17e3/),
    ).toEqual([]);
  });

  /**
   * Phrases that a native speaker would not write, with what to write instead. The list grows with each one found in a review.
   */
  const awkward: readonly (readonly [phrase: RegExp, instead: string])[] = [
    [/\bnobody gets\b/, "what the caller gets instead"],
    [/\bwhat there is not\b/, "missing objects"],
    [/\bwhat can be no\b/, "malformed"],
    [/\bof one that is none\b/, "of any type"],
    [/\bno matter of\b/, "the others are unaffected"],
    [/\bgive or take\b/, "tolerance"],
    [/\b[Ww]hoever\b/, "who: the caller, the payer, the operator"],
    [/\b[Ss]omebody\b/, "who, or someone"],
    [/\b(?:is|are|was|were|be|been) told\b/, "notified, reported, shown or answered"],
    [/\bfor good\b/, "permanently or forever"],
    [/\bin the place of\b/, "instead of or replaces"],
    [/\bstands? still\b/, "stops or waits"],
    [/\bstands? in for\b/, "replaces"],
    [/\bto be paid any more\b/, "closed"],
    [/\banew\b/, "again"],
    [/\bsaid so\b/, "what was reported"],
    [/\b[Rr]e-org/, "reorg"],
    [/\b(?:neighbour|colour|favour|behaviour|licence|organis)/, "US spelling"],
    [/\bpa(?:y|ys|id|ying) back\b/, "refund"],
    [/\bby hand\b/, "manually"],
    [/\bmeanwhile\b/, "in the meantime, or what happened"],
    [/\b[Nn]ull: (?:none|never|nothing|nowhere|not|unlimited)\b/, "null if, or null without"],
    [/\bin vain\b/, "without effect"],
    [/\bas (?:it|they) stood\b/, "at that time"],
    [/\b(?:artefact|judgement|whilst|amongst|cancelling|labelled)\b/, "US spelling"],
    [/\b(?:whence|hitherto|thereof|therein|thereto|herein|heretofore)\b/, "plain words"],
    [/\bwants? the money back\b/, "the refund address"],
    [/\b(?:moody|stubborn)\b/, "the behavior"],
    [/\bbinds nobody\b/, "obliges no one"],
  ];

  it("contain no awkward English", () => {
    const pages = [...filesBelow("docs", ".md"), "README.md"].map((path) => ({
      path,
      text: readFileSync(join(root, path), "utf8"),
    }));
    const offences = [...sources, ...pages]
      .filter(({ path }) => path !== thisFile && !/languages\/(?!en)/.test(path))
      .flatMap(({ path, text }) =>
        text.split("\n").flatMap((line, index) =>
          awkward.flatMap(([phrase, instead]) => {
            const found = phrase.exec(line);
            return found === null ? [] : [`${path}:${index + 1} "${found[0]}": write ${instead}`];
          }),
        ),
      );
    expect(offences).toEqual([]);
  });
});
