import {
  type Page,
  type PageRequest,
  pageCount,
  rejectPage,
  resolvePage,
} from "../kernel/list-query.ts";
import { reject } from "../kernel/rejection.ts";
import type { Executor, SqlValue, Statement } from "./database.ts";
import { cursorOf, orderBy, reverseOrderBy, type sortColumns } from "./keyset.ts";

/** A list with its conditions, before it is cut into pages. */
export type Found = {
  readonly list: {
    readonly name: string;
    readonly select: string;
    readonly from: string;
    readonly count?: CountFrom;
  };
  /** SQL of the column `id`. */
  readonly id: string;
  readonly conditions: readonly (string | null)[];
  readonly columns: ReturnType<typeof sortColumns>;
  readonly values: readonly SqlValue[];
  readonly assemble: <Result>(select: string, prefix?: string) => Statement<Result>;
};

/** The tables that rows are counted in when no condition mentions the others. */
export type CountFrom = { readonly from: string; readonly unless: string };

type Numbered = Extract<PageRequest, { kind: "numbered" }>;

/** Rows are counted up to this many; above it, the count is PostgreSQL's estimate. */
const countMax = 10_000;
/** The last row that a page number reaches; pages behind it are read by cursor. */
const numberedRowsMax = 100_000;

/**
 * A page by its number. The time it takes is bounded: it counts up to `countMax` rows, and skips up to `numberedRowsMax`. Rejects with
 * `notFound` for a page that does not exist or lies behind these.
 */
export async function fetchNumbered<Row>(
  db: Executor,
  found: Found,
  page: Numbered,
): Promise<Page<Row>> {
  if (page.number === "last") return fetchLast(db, found, page);
  const skipped = (page.number - 1) * page.size;
  if (skipped >= numberedRowsMax) return rejectDeep(db, found, page);
  const isDeep = skipped + page.size >= countMax;
  const rows = await fetchRows<Row & Counted>(db, found, {
    limit: isDeep ? page.size + 1 : page.size,
    skipped,
    isDeep,
  });
  const [first] = rows;
  // A page with rows contains the count in each row.
  const count = first === undefined ? await countRows(db, found) : Number(first.count_of_all);
  if (first === undefined)
    return { kind: "numbered", items: [], number: resolveEmpty(page, count), count };
  const items = rows.slice(0, page.size);
  if (count <= countMax) return { kind: "numbered", items, number: page.number, count };
  const last = rows.length > page.size ? items.at(-1) : undefined;
  return {
    kind: "numbered",
    items,
    number: page.number,
    count: Math.max(await estimateRows(db, found), skipped + rows.length),
    estimate: {
      next: isDeep ? (last === undefined ? null : cursorOf(found.columns, last)) : "number",
    },
  };
}

type Counted = Readonly<Record<string, string>> & { readonly count_of_all: string };

/** An empty page behind the counted rows does not exist. */
function resolveEmpty(page: Numbered, count: number): number {
  return count > countMax ? rejectPage(page) : resolvePage(page, count);
}

async function fetchRows<Result>(
  db: Executor,
  found: Found,
  cut: { readonly limit: number; readonly skipped: number; readonly isDeep: boolean },
): Promise<readonly Result[]> {
  const { list, id, columns, values, assemble } = found;
  const [limit, offset] = [`$${values.length + 1}`, `$${values.length + 2}`];
  const where = whereOf(found);
  const order = orderBy(columns);
  const keys = columns.map((column, index) => `(${column.sql})::text as sort_key_${index}`);
  const select = [
    list.select,
    ...(cut.isDeep ? keys : []),
    `(${countText(found)}) as count_of_all`,
  ].join(", ");
  // Rows that are only skipped are read from the index alone.
  const text = cut.isDeep
    ? `select ${select} from ${list.from} where ${where} and ${id} in
         (select ${id} from ${list.from} where ${where} order by ${order} limit ${limit} offset ${offset}) order by ${order}`
    : `select ${select} from ${list.from} where ${where} order by ${order} limit ${limit} offset ${offset}`;
  return db.query(assemble<Result>(text), [...values, cut.limit, cut.skipped]);
}

/** The last page, read from the end of the list; of more than `countMax` rows, the last rows in full. */
async function fetchLast<Row>(db: Executor, found: Found, page: Numbered): Promise<Page<Row>> {
  const { list, columns, values, assemble } = found;
  const count = await countRows(db, found);
  if (count === 0) return { kind: "numbered", items: [], number: 1, count };
  const isExact = count <= countMax;
  const total = isExact ? count : await estimateRows(db, found);
  const number = pageCount(total, page.size);
  const size = isExact ? count - (number - 1) * page.size : page.size;
  const text = `select ${list.select} from ${list.from} where ${whereOf(found)} order by ${reverseOrderBy(columns)} limit $${values.length + 1}`;
  const rows = await db.query(assemble<Row>(text), [...values, size]);
  const last = { kind: "numbered", items: rows.toReversed(), number, count: total } as const;
  return isExact ? last : { ...last, estimate: { next: null } };
}

async function rejectDeep(db: Executor, found: Found, page: Numbered): Promise<never> {
  if ((await countRows(db, found)) <= countMax) rejectPage(page);
  return reject(
    "notFound",
    `Page numbers reach the first ${numberedRowsMax} rows, here page ${numberedRowsMax / page.size}. For later ones follow links.next, which continues by page[after], or narrow the list by a filter.`,
    { parameter: page.parameter ?? "page[number]" },
  );
}

/** Counts up to one row more than `countMax`. */
async function countRows(db: Executor, found: Found): Promise<number> {
  const [row] = await db.query(found.assemble<{ count: string }>(countText(found)), found.values);
  return Number(row?.count ?? 0);
}

function countText(found: Found): string {
  return `select count(*) as count from (select 1 from ${countFrom(found)} where ${whereOf(found)} limit ${countMax + 1}) as counted`;
}

type Explained = {
  readonly "QUERY PLAN": readonly { readonly Plan: { readonly "Plan Rows": number } }[];
};

/** How many rows PostgreSQL expects, from its statistics; more than `countMax`. */
async function estimateRows(db: Executor, found: Found): Promise<number> {
  const [row] = await db.query(
    found.assemble<Explained>(
      `select 1 from ${countFrom(found)} where ${whereOf(found)}`,
      "explain (format json) ",
    ),
    found.values,
  );
  return Math.max(countMax + 1, Math.round(row?.["QUERY PLAN"][0]?.Plan["Plan Rows"] ?? 0));
}

function countFrom({ list, conditions }: Found): string {
  const { count } = list;
  if (count === undefined) return list.from;
  return conditions.some((condition) => condition?.includes(count.unless) === true)
    ? list.from
    : count.from;
}

function whereOf({ conditions }: Found): string {
  return conditions.length === 0 ? "true" : conditions.join(" and ");
}
