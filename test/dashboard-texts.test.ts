/**
 * Shows that every text of the dashboard stands in every language and reaches people translated: the catalogs are complete, keep the
 * values in braces and hold nothing unused, and no source file shows a text that bypasses them.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import german from "../web/dashboard/src/language/de.json" with { type: "json" };
import spanish from "../web/dashboard/src/language/es.json" with { type: "json" };
import chinese from "../web/dashboard/src/language/zh.json" with { type: "json" };

const root = join(import.meta.dirname, "../web/dashboard/src");
const catalogs: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  de: german,
  es: spanish,
  zh: chinese,
};
const keys = new Set(Object.keys(german));

const sources = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path) && !path.includes(".test."))
  .map((path) => {
    const text = readFileSync(join(root, path), "utf8");
    return {
      path,
      tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true),
      /** Its constants hold texts that are translated where they are shown. */
      holdsTexts: /import (?:type )?\{[^}]*\b(?:PlainText|TextKey)\b/.test(text),
    };
  });

function namesIn(text: string): readonly string[] {
  return (text.match(/\{\w+\}/g) ?? []).toSorted();
}

describe.each(Object.entries(catalogs))("the texts in %s", (_code, texts) => {
  it("are complete, and none is superfluous", () => {
    expect(Object.keys(texts).toSorted()).toEqual([...keys].toSorted());
    expect(Object.entries(texts).filter(([, text]) => text.trim() === "")).toEqual([]);
  });

  it("use every value once", () => {
    for (const [english, text] of Object.entries(texts))
      expect(namesIn(text), english).toEqual(namesIn(english));
  });

  it("end as the English ones do", () => {
    const isSentence = (text: string): boolean => /[.。]$/.test(text);
    const offences = Object.entries(texts).filter(
      ([english, text]) => isSentence(english) !== isSentence(text) && !english.startsWith("Max"),
    );
    expect(offences).toEqual([]);
  });

  it("are translated", () => {
    const same = Object.entries(texts).filter(
      ([english, text]) =>
        english === text && /\p{L}{4,} .*\p{L}{4,}/u.test(english.replaceAll(/\{\w+\}/g, "")),
    );
    expect(same).toEqual([]);
  });
});

/** Whether a string is something that people read rather than a name in the code. */
function isProse(text: string): boolean {
  const words = text.trim();
  if (/^(?:[/#.(]|https?:|[a-z0-9_-]+$|[A-Z][a-z]+(?:[A-Z][a-z]+)+$|[A-Z_]+$)/.test(words))
    return false;
  return /^["“(]?\p{Lu}\p{Ll}/u.test(words) || /\p{Ll}{2,} \p{Ll}{2,}/u.test(words);
}

const translating = new Set(["t", "rich", "plural"]);
/** Attributes and members whose strings are for the browser, the API or the style. */
const technical =
  /^(?:className|style|d|autoComplete|href|to|from|key|queryKey|type|inputMode|accept|fontFamily\w*|flex|\w*[cC]olor|fill|size|kind|variant|stroke\w*|viewBox)$/;
/** Tables, charts and copy buttons translate these themselves; the types allow only texts of the catalogs. */
const translatedInside = /^(?:ResourceTable|MiniTable|ChartFrame)$/;
/** Their labels are names in the code. */
const namedInCode = /^(?:CodeText|ConfirmationProgress)$/;
const technicalCalls =
  /^(?:Error|lazyPage|matchMedia|addEventListener|querySelector|createElement|replace|replaceAll|split|test|has|get|includes|startsWith)$/;

function calledName(node: ts.Node): string {
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return "";
  const { expression } = node;
  if (ts.isIdentifier(expression)) return expression.text;
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : "";
}

/** The same in every language: protocol words, HTML, the names of CSV columns and of wallets with the same label. */
const asTheyAre = new Set([
  "HTTP …",
  "Bearer …",
  "… currency",
  "…, ID …",
  '<script src="…" defer></script>\n<button type="button" data-sluice-payment="…">…</button>',
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 … …" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h…v…H0z"/><path d="…"/></svg>\n',
]);

/** Whether a string node is shown translated, or not shown at all. */
function isCovered(node: ts.Node, text: string, holdsTexts: boolean): boolean {
  for (let at = node.parent; !ts.isSourceFile(at); at = at.parent) {
    const call = calledName(at);
    if (translating.has(call)) return true;
    if (technicalCalls.test(call) || call.endsWith("Error") || call === "SluiceUnreachable")
      return true;
    if (/Column$/.test(call)) return keys.has(text);
    if (ts.isImportDeclaration(at) || ts.isTypeNode(at) || ts.isElementAccessExpression(at))
      return true;
    if (
      ts.isCaseClause(at) ||
      (ts.isBinaryExpression(at) && /^[=!]==/.test(at.operatorToken.getText()))
    )
      return true;
    if (ts.isPropertyAssignment(at)) {
      if (at.name === node || technical.test(at.name.getText())) return true;
      if (at.name.getText() === "header") return keys.has(text);
    }
    if (ts.isJsxAttribute(at)) {
      const element = at.parent.parent.tagName.getText();
      if (technical.test(at.name.getText()) || namedInCode.test(element)) return true;
      return translatedInside.test(element) && keys.has(text);
    }
  }
  return holdsTexts && keys.has(text);
}

describe("the sources", () => {
  const strings = sources.flatMap(({ path, tree, holdsTexts }) => {
    const found: { place: string; text: string; isCovered: boolean }[] = [];
    const add = (node: ts.Node, text: string, covered: boolean): void => {
      const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
      found.push({ place: `${path}:${line}`, text, isCovered: covered });
    };
    const visit = (node: ts.Node): void => {
      if (ts.isJsxText(node)) {
        const isCode = /^(?:code|Code|Kbd)$/.test(tagAround(node));
        if (/\p{L}/u.test(node.text) && node.text.trim() !== "Sluice")
          add(node, node.text.trim(), isCode);
      } else if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node))
        add(node, node.text, !isProse(node.text) || isCovered(node, node.text, holdsTexts));
      else if (ts.isTemplateExpression(node)) {
        const text = [node.head, ...node.templateSpans.map(({ literal }) => literal)]
          .map((part) => part.text)
          .join("…");
        add(
          node,
          text,
          !/\p{L}{2,} |^\p{Lu}\p{Ll}| \p{Ll}{2,}/u.test(text) || isCovered(node, text, false),
        );
      }
      ts.forEachChild(node, visit);
    };
    visit(tree);
    return found;
  });

  it("show no text that bypasses the catalogs", () => {
    expect(strings.length).toBeGreaterThan(3_000);
    const offences = strings.filter((string) => !string.isCovered && !asTheyAre.has(string.text));
    expect(offences.map(({ place, text }) => `${place} ${text}`)).toEqual([]);
  });

  it("use every text of the catalogs", () => {
    const used = new Set(strings.map(({ text }) => text));
    expect([...keys].filter((key) => !used.has(key))).toEqual([]);
  });
});

function tagAround(node: ts.Node): string {
  return ts.isJsxElement(node.parent) ? node.parent.openingElement.tagName.getText() : "";
}
