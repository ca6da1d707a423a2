/**
 * No code decides by the name of a chain, a coin or a family: what distinguishes a coin is in its file (`src/currencies/coins/`),
 * what distinguishes a family in its record (`src/main/families/`). Adding a coin of a known family therefore changes no other code.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { builtInCurrencies } from "../src/currencies/built-in-currencies.ts";
import { omniChain } from "../src/currencies/coins/omni.ts";
import { coins } from "../src/currencies/coins.ts";

const root = join(import.meta.dirname, "..");

const families = new Set(
  [...coins.map(({ chain }) => chain), omniChain].map((chain) => chain.family),
);
/** Codes, aliases and ids of coins and tokens; a chain's id is the code of its coin. */
const currencies = new Set(
  builtInCurrencies
    .filter(({ kind }) => kind !== "fiat")
    .flatMap(({ id, alpha, alias, chain }) => [id, alpha, alias, chain])
    .filter((name) => name !== null),
);

/** Files that may name coins, families or both, and why. */
const exempt: readonly (readonly [
  path: RegExp,
  what: "coins" | "families" | "both",
  why: string,
])[] = [
  [/^src\/currencies\/coins(?:\/|\.ts$)/, "both", "the coins' own files and their list"],
  [/^src\/currencies\/chain-record\.ts$/, "families", "the type that names them"],
  [/^src\/currencies\/rates\//, "coins", "market symbols, as price sources spell them"],
  [/^src\/main\/families\//, "families", "the registry of families"],
  [/^src\/signer\/create-draft-signers\.ts$/, "families", "the signer's registry of families"],
  [
    /^src\/sandbox\/sandbox-file\.ts$/,
    "families",
    "the type of sandbox.json, one member per family",
  ],
  [/^src\/sandbox\/rate-server\.ts$/, "coins", "prices by market symbol"],
  [/^src\/platform\/kernel\/rejection\.ts$/, "coins", "error codes, numbers like currency ids"],
  [/^web\/page\/src\/coin-marks\.ts$/, "coins", "icons by symbol"],
];

type Offence = { readonly line: number; readonly name: string };

/** The places where a source decides by a name, except as `exempt` allows its path. */
function offencesIn(path: string, text: string): readonly Offence[] {
  const allowed = new Set(exempt.filter(([pattern]) => pattern.test(path)).map(([, what]) => what));
  const mayNameCoins = allowed.has("coins") || allowed.has("both");
  const mayNameFamilies = allowed.has("families") || allowed.has("both");
  // A family's own code may name its family, to assert that it is used with it.
  const [, own] = /^src\/(?:chains|signer|sandbox)\/(\w+)\//.exec(path) ?? [];
  const isForbidden = (name: string, asDecision: boolean): boolean =>
    (!mayNameCoins && currencies.has(name)) ||
    (!mayNameFamilies && asDecision && families.has(name as never) && name !== own);
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: Offence[] = [];
  const visit = (node: ts.Node): void => {
    const name = nameIn(node);
    if (name !== null && isForbidden(name, isDecision(node)))
      found.push({ line: tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1, name });
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** The text of a literal or of a table's key. The value of an object's member is data that decides nothing by itself. */
function nameIn(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
    const { parent } = node;
    return ts.isPropertyAssignment(parent) && parent.initializer === node ? null : node.text;
  }
  const isKey = ts.isIdentifier(node) && ts.isPropertyAssignment(node.parent);
  return isKey && node.parent.name === node ? node.text : null;
}

/** Families have ordinary words as names, so only decisions count: comparisons, cases, types, lists, and tables of families. */
function isDecision({ parent }: ts.Node): boolean {
  if (ts.isPropertyAssignment(parent)) {
    const keys = parent.parent.properties.map((member) =>
      member.name?.getText().replaceAll(/["']/g, ""),
    );
    return keys.filter((key) => families.has(key as never)).length > 1;
  }
  return (
    ts.isBinaryExpression(parent) ||
    ts.isCaseClause(parent) ||
    ts.isLiteralTypeNode(parent) ||
    ts.isArrayLiteralExpression(parent) ||
    ts.isElementAccessExpression(parent)
  );
}

function sourcesBelow(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !/node_modules|\/dist\/|\.test\.tsx?$|\.gen\.ts$/.test(path));
}

describe("names of chains, coins and families", () => {
  it("decide nothing outside the coins' files and the registries of families", () => {
    const paths = ["src", "web", "client"].flatMap(sourcesBelow);
    expect(paths.length).toBeGreaterThan(500);
    const offences = paths.flatMap((path) =>
      offencesIn(path, readFileSync(join(root, path), "utf8")).map(
        ({ line, name }) => `${path}:${line} ${name}`,
      ),
    );
    expect(offences).toEqual([]);
  });

  it.each([
    ["src/deposits/a.ts", 'if (chain === "BTC") pay();'],
    ["src/deposits/a.ts", 'if ("USDT-TRX" !== alpha) pay();'],
    ["src/payouts/a.ts", 'const special = new Set(["XRP", other]);'],
    ["src/payouts/a.ts", 'switch (chain) { case "ETH-BASE": break; }'],
    ["src/main/build/a.ts", 'const ether = currencies.byAlpha("ETH");'],
    ["src/main/build/a.ts", 'if (record.family !== "evm") return;'],
    ["src/main/families/evm.ts", 'if (chain === "MATIC") return;'],
    ["src/chains/utxo/a.ts", 'if (record.chain === "LTC") return;'],
    ["src/chains/utxo/a.ts", 'if (record.family === "evm") return;'],
    ["src/signer/a.ts", "const limits = { DOGE: 1, other: 2 }[chain];"],
    ["src/signer/a.ts", "const sign = { utxo: signCoins, 'evm': signNonce }[family];"],
    ["src/signer/a.ts", 'type Chain = "BTC" | Other;'],
    ["src/http/a.ts", 'const isEther = currency === "1002";'],
    ["web/page/src/a.tsx", "const isBinance = `BNB` === symbol;"],
    ["client/src/a.ts", 'const fees = table["TRX"];'],
  ])("may not appear in %s as %s", (path, text) => {
    expect(offencesIn(path, text)).not.toEqual([]);
  });

  it.each([
    ["src/currencies/coins/bitcoin.ts", 'const alpha = "BTC";'],
    ["src/main/families/evm.ts", 'if (chain.family === "evm") return;'],
    ["src/chains/evm/a.ts", 'if (chain.family === "evm") return;'],
    ["src/currencies/rates/a.ts", 'const pairs = { BTC: "XBT" };'],
    ["src/http/docs/a.ts", 'const example = { chain: "ETH" };'],
    ["src/sandbox/tron/a.ts", 'const folder = join(home, "evm");'],
  ])("may appear in %s as %s", (path, text) => {
    expect(offencesIn(path, text)).toEqual([]);
  });

  it("has only exemptions that are used", () => {
    const paths = ["src", "web", "client"].flatMap(sourcesBelow);
    const unused = exempt.filter(([pattern]) => !paths.some((path) => pattern.test(path)));
    expect(unused).toEqual([]);
  });
});
