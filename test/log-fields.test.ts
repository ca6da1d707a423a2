import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";

/*
 * The table of log fields in operations.md lists every field that the program logs, and no other. The fields are read from the
 * sources: members of the objects passed to a logger, of `fields` of a failure log, and of spread objects declared in the same file.
 */

const root = join(import.meta.dirname, "..");
const levels = new Set(["debug", "info", "warn", "error"]);
/** Of every line; pino writes them. */
const ofEveryLine = ["level", "time", "pid", "msg"];
/** Spread from the configuration. */
const ofListening = ["host", "port"];

const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((path) => /(?<!\.test)\.ts$/.test(path) && !path.startsWith("sandbox/"))
  .map((path) => {
    const text = readFileSync(join(root, "src", path), "utf8");
    return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  });

/** The object literals of a file by the name of the constant that holds them; several if the name is used several times. */
function constantsOf(
  file: ts.SourceFile,
): ReadonlyMap<string, readonly ts.ObjectLiteralExpression[]> {
  const found = new Map<string, ts.ObjectLiteralExpression[]>();
  const visit = (node: ts.Node): void => {
    if (
      ts.isVariableDeclaration(node) &&
      ts.isIdentifier(node.name) &&
      node.initializer !== undefined &&
      ts.isObjectLiteralExpression(node.initializer)
    )
      found.set(node.name.text, [...(found.get(node.name.text) ?? []), node.initializer]);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function fieldsIn(file: ts.SourceFile): readonly string[] {
  const constants = constantsOf(file);
  const fields: string[] = [];
  const take = (node: ts.Node | undefined): void => {
    if (node === undefined) return;
    if (ts.isIdentifier(node)) for (const held of constants.get(node.text) ?? []) take(held);
    if (ts.isParenthesizedExpression(node)) take(node.expression);
    if (ts.isConditionalExpression(node)) {
      take(node.whenTrue);
      take(node.whenFalse);
    }
    if (!ts.isObjectLiteralExpression(node)) return;
    for (const member of node.properties)
      if (ts.isSpreadAssignment(member)) take(member.expression);
      else if (ts.isIdentifier(member.name) || ts.isStringLiteral(member.name))
        fields.push(member.name.text);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const { expression } = node;
      const name = ts.isPropertyAccessExpression(expression) ? expression.name.text : "";
      const of =
        ts.isPropertyAccessExpression(expression) || ts.isElementAccessExpression(expression)
          ? expression.expression
          : null;
      const isLogger = of !== null && /(^|\.|#)logger$/.test(of.getText());
      if (isLogger && (levels.has(name) || ts.isElementAccessExpression(expression)))
        take(node.arguments[1]);
      if (isLogger && name === "with") take(node.arguments[0]);
      if (ts.isIdentifier(expression) && expression.text === "createFailureLog") {
        const [, lines] = node.arguments;
        if (lines !== undefined && ts.isObjectLiteralExpression(lines))
          for (const member of lines.properties)
            if (ts.isPropertyAssignment(member) && member.name.getText() === "fields")
              take(member.initializer);
            else if (ts.isShorthandPropertyAssignment(member) && member.name.text === "fields")
              take(member.name);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return fields;
}

describe("the table of log fields", () => {
  it("lists every field that the program logs, and no other", () => {
    const page = readFileSync(join(root, "docs/operations.md"), "utf8");
    const [, section = ""] = /### Logs\n([\s\S]*?)\n### /.exec(page) ?? [];
    const tabled = [...section.matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm)].flatMap(([, names = ""]) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name),
    );
    const logged = new Set([...ofEveryLine, ...ofListening, ...sources.flatMap(fieldsIn)]);
    expect(logged.size).toBeGreaterThan(40);
    expect(tabled.toSorted()).toEqual([...logged].toSorted());
  });
});
