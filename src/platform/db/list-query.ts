import { createHash } from "node:crypto";
import { present } from "../kernel/assert.ts";
import { parseDecimal } from "../kernel/decimal.ts";
import { type ListQuery, type Page, type PageRequest, resolvePage } from "../kernel/list-query.ts";
import { isObjectId } from "../kernel/object-id.ts";
import type { FilterDefinition } from "../resources/filters.ts";
import type { Executor, SqlValue, Statement } from "./database.ts";
import { cursorOf, keysetPredicate, orderBy, type SortColumn, sortColumns } from "./keyset.ts";
import { type CountFrom, type Found, fetchNumbered } from "./numbered-page.ts";
import { timestampBound } from "./timestamp-bound.ts";

/** Adds a parameter and returns its `$n`. */
export type Bind = (value: SqlValue) => string;

/** A condition of a `where` clause. */
export type Predicate = (bind: Bind) => string;

/**
 * How a filter is applied in SQL. A text that no value of the column can equal matches nothing, and is never cast in
 * the database.
 */
export type FilterSql =
  | { readonly kind: "text"; readonly sql: string }
  /** Case-insensitive substring. */
  | { readonly kind: "contains"; readonly sql: string }
  /** A bigint id. */
  | { readonly kind: "id"; readonly sql: string }
  /** smallint or integer. */
  | { readonly kind: "integer"; readonly sql: string }
  | { readonly kind: "boolean"; readonly sql: string }
  /** Inclusive bounds on a timestamptz; a date as upper bound covers its whole day. */
  | {
      readonly kind: "from" | "to";
      readonly sql: string;
      /** Of an upper bound: a timestamp of the row that is never later, by which the list is usually sorted. */
      readonly notLater?: string;
    }
  /** Compares by value: units of 10^-exp, with exp from a column, from the row's currency, or fixed. */
  | {
      readonly kind: "decimal";
      readonly units: string;
      readonly exp: RowExp;
      /** SQL of a `numeric[]` with an index that contains `units` of every row, zeros apart. */
      readonly among?: string;
    }
  /** Substring of the decimal as on the wire. */
  | { readonly kind: "decimalContains"; readonly units: string; readonly exp: RowExp }
  /** The resource lacks the field; nothing matches. */
  | { readonly kind: "nothing" }
  /** Any other condition; null matches nothing. */
  | {
      readonly kind: "custom";
      readonly predicate: (bind: Bind, text: string, currencies: CurrencyExps) => string | null;
    };

/** A filter of the API together with its SQL. */
export type SqlFilter = FilterDefinition & FilterSql;

/** The precision of a row's amount: SQL for a currency id, SQL for an integer, or a constant. */
export type RowExp =
  | { readonly currency: string }
  | { readonly column: string }
  | { readonly fixed: number };

/** A list in SQL. All texts are constants of the program, never from callers. */
export type ListSql = {
  /** Prefix of statement names: `deposit.list`. */
  readonly name: string;
  /** Columns, as between `select` and `from`. */
  readonly select: string;
  /** Tables and joins, as between `from` and `where`. */
  readonly from: string;
  /** Queries that `from` and `select` read by name, as after `with`. */
  readonly withSql?: (bind: Bind) => string;
  readonly filters: Readonly<Record<string, FilterSql>>;
  /** Must contain `id`. */
  readonly sort: Readonly<Record<string, SortColumn>>;
  /**
   * The `sort` field for which an index on (account, field, id) exists. A cursor page in this order is as cheap as a
   * single row and runs on the connections for short statements.
   */
  readonly indexed?: string;
  /** The filter for which an index on (account, the filter's column, `indexed`, id) exists too. */
  readonly indexedFilter?: string;
  readonly count?: CountFrom;
  /** With this filter, the first page is a cursor page even when it is asked for by number: nobody needs the count of a feed. */
  readonly uncountedFilter?: string;
};

/** Currencies and their precision, for filters that compare amounts. */
export type CurrencyExps = readonly { readonly id: string; readonly exp: number }[];

/**
 * One page of a list, limited to `scope` (the account's rows, the wallets that the caller may see).
 * Rejects with `notFound` for a page that does not exist, `invalidValue` for a cursor of another list or order.
 */
export async function fetchPage<Row>(
  db: Executor,
  list: ListSql,
  scope: readonly Predicate[],
  query: ListQuery,
  currencies: CurrencyExps = [],
): Promise<Page<Row>> {
  const values: SqlValue[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const filters = [...query.filters].map(([name, text]) =>
    filterPredicate(
      present(list.filters[name], `filter ${name} of ${list.name}`),
      text,
      bind,
      currencies,
    ),
  );
  if (filters.includes(null)) return emptyPage(query);
  const page = firstOfFeed(list, query);
  const isIndexed = isServedByIndex(list, scope, { ...query, page });
  // A prepared statement gets one plan for all values, and the best plan of a filter depends on how many rows its value has.
  // So filtered lists are planned each time, except those that an index serves whatever the value.
  const isNamed =
    isIndexed || (filters.length === 0 && scope.length === 1 && query.sort.length <= 2);
  const mayTakeLong = !isIndexed;
  const named = list.withSql === undefined ? "" : `with ${list.withSql(bind)} `;
  const assemble = <Result>(select: string, prefix = ""): Statement<Result> => {
    const text = `${prefix}${named}${select}`;
    return isNamed
      ? { ...assembledStatement<Result>(list.name, text), mayTakeLong }
      : { name: "", text, mayTakeLong };
  };
  const found: Found = {
    list,
    id: present(list.sort["id"], `sort field id of ${list.name}`).sql,
    conditions: [...scope.map((predicate) => predicate(bind)), ...filters],
    columns: sortColumns(list.name, list.sort, query.sort),
    values,
    assemble,
  };
  return page.kind === "after"
    ? fetchAfter(db, found, page, isIndexed)
    : fetchNumbered(db, found, page);
}

function firstOfFeed({ uncountedFilter }: ListSql, { filters, page }: ListQuery): PageRequest {
  const isFeed = uncountedFilter !== undefined && filters.has(uncountedFilter);
  return isFeed && page.kind === "numbered" && page.number === 1
    ? { kind: "after", cursor: null, size: page.size }
    : page;
}

/** Whether an index finds the rows of the page without reading others. */
function isServedByIndex(
  { indexed, indexedFilter }: ListSql,
  scope: readonly Predicate[],
  { filters, sort, page }: ListQuery,
): boolean {
  if (page.kind !== "after" || scope.length > 1) return false;
  if ([...filters.keys()].some((name) => name !== indexedFilter)) return false;
  const fields = sort.map(({ field }) => field).join();
  const isOneWay = sort.every(({ descending }) => descending === sort[0]?.descending);
  return indexed !== undefined && isOneWay && fields === `${indexed},id`;
}

/**
 * Page sizes written as literals. With the limit as a parameter, PostgreSQL considers the generic plan expensive and plans each page
 * again, which takes longer than reading it. Only a few, because each is another prepared statement.
 */
const usualSizes: ReadonlySet<number> = new Set([10, 20, 25, 50, 100]);

async function fetchAfter<Row>(
  db: Executor,
  { list, conditions, columns, values, assemble }: Found,
  { cursor, size }: Extract<PageRequest, { kind: "after" }>,
  isIndexed: boolean,
): Promise<Page<Row>> {
  const bound = [...values];
  const bind: Bind = (value) => `$${bound.push(value)}`;
  const after = cursor === null ? [] : [keysetPredicate(columns, cursor, bind)];
  const keys = columns.map((column, index) => `(${column.sql})::text as sort_key_${index}`);
  const limit = isIndexed && usualSizes.has(size) ? String(size + 1) : bind(size + 1);
  const rows = await db.query(
    assemble<Row & Record<string, string | null>>(
      `select ${[list.select, ...keys].join(", ")} from ${list.from} where ${all([...conditions, ...after])} order by ${orderBy(columns)} limit ${limit}`,
    ),
    bound,
  );
  const items = rows.slice(0, size);
  const last = rows.length > size ? items.at(-1) : undefined;
  return { kind: "after", items, next: last === undefined ? null : cursorOf(columns, last) };
}

function all(conditions: readonly (string | null)[]): string {
  return conditions.length === 0 ? "true" : conditions.join(" and ");
}

function emptyPage<Row>({ page }: ListQuery): Page<Row> {
  if (page.kind === "after") return { kind: "after", items: [], next: null };
  return { kind: "numbered", items: [], number: resolvePage(page, 0), count: 0 };
}

/** The condition of one filter; null if no row can match. */
function filterPredicate(
  filter: FilterSql,
  text: string,
  bind: Bind,
  currencies: CurrencyExps,
): string | null {
  switch (filter.kind) {
    case "text":
      return `${filter.sql} = ${bind(text)}`;
    case "contains":
      return contains(filter.sql, text, bind);
    case "id":
      return isObjectId(text) ? `${filter.sql} = ${bind(text)}::bigint` : null;
    case "integer":
      return /^-?\d{1,9}$/.test(text) ? `${filter.sql} = ${bind(Number(text))}::integer` : null;
    case "boolean":
      return `${filter.sql} = ${bind(/^(true|1)$/i.test(text))}::boolean`;
    case "from":
    case "to": {
      const bound = timestampBound(filter.kind, text);
      if (bound === null) return null;
      const ends = `${bound.operator} ${bind(bound.timestamp)}::timestamptz`;
      const own = `${filter.sql} ${ends}`;
      return filter.notLater === undefined ? own : `${own} and ${filter.notLater} ${ends}`;
    }
    case "decimal":
      return decimalPredicate(filter, text, bind, currencies);
    case "decimalContains":
      return decimalContains(filter, text, bind, currencies);
    case "nothing":
      return null;
    case "custom":
      return filter.predicate(bind, text, currencies);
  }
}

/**
 * The database's locale may fold the case of ASCII letters only (the embedded one does, because it is fastest). Texts with
 * other characters are compared by Unicode's rules. An index of trigrams knows the database's locale only, so their longest part in
 * ASCII is looked for as well, if it is long enough for an index.
 */
function contains(sql: string, text: string, bind: Bind): string {
  const pattern = (part: string): string => bind(`%${part.replaceAll(/[\\%_]/g, "\\$&")}%`);
  if (/^[\x20-\x7e]*$/.test(text)) return `${sql} ilike ${pattern(text)}`;
  const parts = text.split(/[^\x20-\x7e]+/).toSorted((one, other) => other.length - one.length);
  const [longest = ""] = parts;
  const whole = `${sql} collate "und-x-icu" ilike ${pattern(text)}`;
  return longest.length < 3 ? whole : `${sql} ilike ${pattern(longest)} and ${whole}`;
}

/** More digits than any rate or amount has. */
const expMax = 64;

function decimalPredicate(
  { units, exp, among }: Extract<FilterSql, { kind: "decimal" }>,
  text: string,
  bind: Bind,
  currencies: CurrencyExps,
): string | null {
  if ("currency" in exp) {
    const possible = currencies.flatMap((currency) => {
      const parsed = parseDecimal(text, currency.exp);
      return parsed.kind === "units" ? [{ id: currency.id, units: parsed.units }] : [];
    });
    if (possible.length === 0) return null;
    const ids = bind(possible.map((amount) => amount.id));
    const amounts = bind(possible.map((amount) => amount.units));
    // The units alone as well: an index knows them, and PostgreSQL knows how frequent each of them is.
    const equals = `${units} = any(${amounts}::numeric[]) and (${exp.currency}, ${units}) in (select * from unnest(${ids}::text[], ${amounts}::numeric[]))`;
    const isIndexed = among !== undefined && possible.every((amount) => amount.units !== 0n);
    return isIndexed ? `${among} && ${amounts}::numeric[] and ${equals}` : equals;
  }
  if ("fixed" in exp) {
    const parsed = parseDecimal(text, exp.fixed);
    return parsed.kind === "units" ? `${units} = ${bind(parsed.units)}::numeric` : null;
  }
  const parsed = parseDecimal(text, expMax);
  if (parsed.kind !== "units") return null;
  const possible = new Set<bigint>();
  for (let digits = 0; digits <= expMax; digits += 1) {
    const exact = parseDecimal(text, digits);
    if (exact.kind === "units") possible.add(exact.units);
  }
  // An index knows the units. Both sides as units of 10^-expMax; a power of ten written as text is exact where power() rounds.
  return `${units} = any(${bind([...possible])}::numeric[]) and ${units} * ('1e' || (${expMax} - ${exp.column}))::numeric = ${bind(parsed.units)}::numeric`;
}

function decimalContains(
  { units, exp }: { readonly units: string; readonly exp: RowExp },
  text: string,
  bind: Bind,
  currencies: CurrencyExps,
): string {
  const part = bind(text);
  const rendered = (digits: string): string =>
    `strpos((${units} * ('1e-' || ${digits})::numeric)::text, ${part}) > 0`;
  if ("fixed" in exp) return rendered(String(exp.fixed));
  if ("column" in exp) return rendered(exp.column);
  const ids = bind(currencies.map((currency) => currency.id));
  const exps = bind(currencies.map((currency) => currency.exp));
  return `exists (select from unnest(${ids}::text[], ${exps}::integer[]) as precision (currency, exp) where precision.currency = ${exp.currency} and ${rendered("precision.exp")})`;
}

/**
 * Creates a statement from assembled text, such as a list with certain filters. Its name is derived from the text, so
 * each combination is planned once. Values are always parameters, so the number of combinations is finite.
 */
export function assembledStatement<Row>(prefix: string, text: string): Statement<Row> {
  const digest = createHash("sha256").update(text).digest("base64url").slice(0, 16);
  return { name: `${prefix}.${digest}`, text };
}
