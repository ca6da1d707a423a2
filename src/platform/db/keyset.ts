import { present } from "../kernel/assert.ts";
import type { SortKey } from "../kernel/list-query.ts";
import { reject } from "../kernel/rejection.ts";
import { parseTimestamp } from "../kernel/timestamp.ts";
import type { SqlValue } from "./database.ts";

/** A column that a list can be sorted by. Nulls come last in both directions. */
export type SortColumn = {
  readonly sql: string;
  readonly type: "bigint" | "integer" | "numeric" | "boolean" | "text" | "timestamptz";
  readonly isNullable?: boolean;
};

type OrderedColumn = SortColumn & { readonly field: string; readonly descending: boolean };

/** The columns of a sort order. */
export function sortColumns(
  list: string,
  columns: Readonly<Record<string, SortColumn>>,
  sort: readonly SortKey[],
): readonly OrderedColumn[] {
  return sort.map((key) => ({
    ...present(columns[key.field], `sort field ${key.field} of ${list}`),
    ...key,
  }));
}

/** The `order by` list of these columns. */
export function orderBy(columns: readonly OrderedColumn[]): string {
  return columns
    .map(({ sql, descending, isNullable }) => {
      const direction = descending ? "desc" : "asc";
      return `${sql} ${direction}${isNullable === true && descending ? " nulls last" : ""}`;
    })
    .join(", ");
}

/** The `order by` list of the opposite order, for reading a list from its end. */
export function reverseOrderBy(columns: readonly OrderedColumn[]): string {
  return columns
    .map(({ sql, descending, isNullable }) => {
      const direction = descending ? "asc" : "desc";
      return `${sql} ${direction}${isNullable === true ? " nulls first" : ""}`;
    })
    .join(", ");
}

/** An opaque cursor after a row: the sort order and the row's keys (`sort_key_0`, ... as text). */
export function cursorOf(
  columns: readonly OrderedColumn[],
  row: Readonly<Record<string, unknown>>,
): string {
  const keys = columns.map((_, index) => row[`sort_key_${index}`]);
  return Buffer.from(JSON.stringify([orderName(columns), ...keys])).toString("base64url");
}

/**
 * SQL condition for the rows after a cursor. Non-null columns with one direction are compared as a row, which an index supports at any
 * depth; other orders become alternatives of "equal so far, then after". Rejects with `invalidValue` a cursor of another order.
 */
export function keysetPredicate(
  columns: readonly OrderedColumn[],
  cursor: string,
  bind: (value: SqlValue) => string,
): string {
  const keys = readCursor(columns, cursor);
  const bound = keys.map((key, index) =>
    key === null ? null : `${bind(key)}::${present(columns[index], "column").type}`,
  );
  const isUniform = columns.every(
    (column) => column.isNullable !== true && column.descending === columns[0]?.descending,
  );
  if (isUniform) {
    const operator = columns[0]?.descending === true ? "<" : ">";
    return `(${columns.map((column) => column.sql).join(", ")}) ${operator} (${bound.join(", ")})`;
  }
  const alternatives = columns.map((column, index) => {
    const equal = columns.slice(0, index).map((earlier, at) => equals(earlier, bound[at] ?? null));
    return [...equal, isAfter(column, bound[index] ?? null)].join(" and ");
  });
  return `(${alternatives.map((alternative) => `(${alternative})`).join(" or ")})`;
}

function equals(column: OrderedColumn, key: string | null): string {
  return key === null ? `${column.sql} is null` : `${column.sql} = ${key}`;
}

function isAfter(column: OrderedColumn, key: string | null): string {
  if (key === null) return "false";
  const behind = `${column.sql} ${column.descending ? "<" : ">"} ${key}`;
  return column.isNullable === true ? `(${behind} or ${column.sql} is null)` : behind;
}

function orderName(columns: readonly OrderedColumn[]): string {
  return columns.map(({ field, descending }) => (descending ? `-${field}` : field)).join(",");
}

const literals: Readonly<Record<SortColumn["type"], (text: string) => boolean>> = {
  bigint: (text) => /^-?\d{1,18}$/.test(text),
  integer: (text) => /^-?\d{1,9}$/.test(text),
  numeric: (text) => /^-?\d{1,200}(\.\d{1,100})?$/.test(text),
  boolean: (text) => text === "true" || text === "false",
  text: (text) => !text.includes("\u0000") && text.isWellFormed(),
  timestamptz: (text) => parseTimestamp(text) !== null,
};

/** Parses a cursor and checks each key against its column's type, so a forged cursor is rejected instead of failing in SQL. */
function readCursor(columns: readonly OrderedColumn[], cursor: string): (string | null)[] {
  const [order, ...keys] = parseArray(Buffer.from(cursor, "base64url").toString());
  const isValid =
    order === orderName(columns) &&
    keys.length === columns.length &&
    columns.every((column, index) => {
      const key = keys[index];
      if (key === null) return column.isNullable === true;
      return typeof key === "string" && literals[column.type](key);
    });
  if (!isValid)
    reject("invalidValue", "This cursor does not belong to this list and sort order.", {
      parameter: "page[after]",
    });
  return keys as (string | null)[];
}

function parseArray(text: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}
