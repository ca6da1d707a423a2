/*
 * Migrations run while the previous release works (expand); what that release still uses goes in a later release (contract). A migration
 * that does what is listed here says since when nothing needs it: `-- contract: not read since 0131`.
 */

type Rule = { readonly breaks: RegExp; readonly because: string };

const rules: readonly Rule[] = [
  {
    breaks: /\bdrop\s+(?:table|view|column|function|type|sequence)\b/i,
    because: "the previous release may use what is dropped",
  },
  { breaks: /\brename\b/i, because: "the previous release knows the old name" },
  {
    breaks: /\balter\s+(?:column\s+)?\w+\s+(?:set\s+data\s+)?type\b/i,
    because: "it rewrites the table under a lock, and the previous release may expect the old type",
  },
  {
    breaks: /\bset\s+not\s+null\b/i,
    because: "the previous release may insert without it",
  },
  {
    breaks: /\bdrop\s+default\b/i,
    because: "the previous release may insert without a value",
  },
  {
    breaks:
      /\balter\s+table\b[^;]*\badd\s+(?:constraint\s+\w+\s+)?(?:check|unique|foreign|primary|exclude)\b(?![^;]*\bnot\s+valid\b)/i,
    because:
      "it reads the whole table under a lock: add it not valid, and validate it concurrently",
  },
  {
    breaks: /\bcreate\s+(?:unique\s+)?index\s+(?!concurrently\b)/i,
    because: "it blocks writes while it is built: build it concurrently",
  },
];

const addedColumn = /\badd\s+column\s+(?:if\s+not\s+exists\s+)?(\w+)([^,;]*(?:\([^)]*\)[^,;]*)*)/gi;
const createdTable = /\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/gi;

/** The tables that a migration creates. */
export function createdTables(sql: string): readonly string[] {
  return [...sql.matchAll(createdTable)].flatMap(([, name]) => name ?? []);
}

/**
 * The reasons why the previous release, or requests, cannot go on while this migration runs; empty if they can. `newTables`: those that
 * the previous release does not know.
 */
export function findBreakingStatements(
  sql: string,
  newTables: readonly string[] = [],
): readonly string[] {
  if (/^-- contract: \S/m.test(sql)) return [];
  const statements = sql
    .replaceAll(/^\s*--.*$/gm, "")
    .split(/;[ \t]*(?:\n|$)/)
    .map((statement) => statement.trim().replaceAll(/\s+/g, " "));
  const unused = new Set([...newTables, ...createdTables(sql)]);
  return statements
    .filter((statement) => !unused.has(tableOf(statement) ?? ""))
    .flatMap((statement) =>
      [...rules.filter(({ breaks }) => breaks.test(statement)), ...ofColumns(statement)].map(
        ({ because }) => `${statement.slice(0, 80)}: ${because}`,
      ),
    );
}

function tableOf(statement: string): string | undefined {
  const on = /\balter table (?:if exists )?(?:only )?(\w+)|\bindex .*? on (?:only )?(\w+)/i.exec(
    statement,
  );
  return on?.[1] ?? on?.[2];
}

function ofColumns(statement: string): readonly { readonly because: string }[] {
  return [...statement.matchAll(addedColumn)]
    .filter(
      ([, , rest = ""]) => /\bnot null\b/i.test(rest) && !/\b(?:default|generated)\b/i.test(rest),
    )
    .map(([, name]) => ({ because: `the previous release inserts rows without ${name}` }));
}
