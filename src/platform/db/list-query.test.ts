import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { present } from "../kernel/assert.ts";
import type { ListQuery, Page } from "../kernel/list-query.ts";
import type { SqlValue, Statement } from "./database.ts";
import { assembledStatement, type FilterSql, fetchPage, type ListSql } from "./list-query.ts";

const { db } = useDatabase();

/** Row 1: 0.5 of an 18-digit currency. Row 2: 0.50 of a 2-digit one. Row 3: 50 of a currency without decimals. */
const rows = `(values
  (1, 'a', 500000000000000000::numeric, 15::numeric, 1, 'x%y', true,  timestamptz '2026-01-01T10:00:00Z'),
  (2, 'b', 50::numeric,                 150::numeric, 2, null,  false, timestamptz '2026-01-02T00:00:00Z'),
  (3, 'c', 50::numeric,                 null,         0, 'xzy Ä_Ж', null,  timestamptz '2026-01-02T23:59:59.999999Z'),
  (4, 'b', 0::numeric,                  null,         0, null,  null,  timestamptz '2026-01-03T00:00:00Z')
) as r (id, currency, units, rate, rate_exp, label, flag, at)`;
const currencies = [
  { id: "a", exp: 18 },
  { id: "b", exp: 2 },
  { id: "c", exp: 0 },
];

function list(filter: FilterSql = { kind: "nothing" }): ListSql {
  return {
    name: "test.list",
    select: "r.id",
    from: rows,
    filters: { it: filter },
    sort: {
      id: { sql: "r.id", type: "bigint" },
      at: { sql: "r.at", type: "timestamptz" },
      units: { sql: "r.units", type: "numeric" },
      label: { sql: "r.label", type: "text", isNullable: true },
      flag: { sql: "r.flag", type: "boolean", isNullable: true },
    },
  };
}

const byId = [{ field: "id", descending: false }];
const firstPage = { kind: "numbered", number: 1, size: 10 } as const;

async function matching(filter: FilterSql, text: string): Promise<number[]> {
  const query = { filters: new Map([["it", text]]), sort: byId, page: firstPage };
  const page = await fetchPage<{ id: number }>(db, list(filter), [], query, currencies);
  return page.items.map((row) => row.id);
}

describe("filters", () => {
  const amount: FilterSql = { kind: "decimal", units: "r.units", exp: { currency: "r.currency" } };
  it.each([
    ["0.5", [1, 2]],
    ["00.500", [1, 2]],
    ["5e-1", [1, 2]],
    ["50", [3]],
    ["50.0", [3]],
    ["0", [4]],
    ["-0", [4]],
    ["0.500000000000000001", []],
    ["0.5000000000000000000000001", []],
    ["fifty", []],
    ["9".repeat(60), []],
  ])("match amounts equal to %s by the precision of each row's currency", async (text, ids) => {
    expect(await matching(amount, text)).toEqual(ids);
  });

  const rate: FilterSql = { kind: "decimal", units: "r.rate", exp: { column: "r.rate_exp" } };
  it.each([
    ["1.5", [1, 2]],
    ["1.50", [1, 2]],
    ["15", []],
    ["x", []],
  ])("match rates equal to %s by the precision of the row", async (text, ids) => {
    expect(await matching(rate, text)).toEqual(ids);
  });

  it.each([
    ["0.50", [1, 2]],
    ["0.5", [1, 2]],
    ["50", [1, 2, 3]],
    ["0.500", [1]],
    ["5'; --", []],
  ])("match amounts whose decimal text contains %s", async (text, ids) => {
    const exp = { currency: "r.currency" };
    expect(await matching({ kind: "decimalContains", units: "r.units", exp }, text)).toEqual(ids);
  });

  it("match amounts of a fixed precision", async () => {
    expect(await matching({ kind: "decimal", units: "r.units", exp: { fixed: 2 } }, "0.5")).toEqual(
      [2, 3],
    );
    expect(
      await matching({ kind: "decimalContains", units: "r.units", exp: { fixed: 2 } }, "0.50"),
    ).toEqual([2, 3]);
    expect(
      await matching(
        { kind: "decimalContains", units: "r.rate", exp: { column: "r.rate_exp" } },
        "1.5",
      ),
    ).toEqual([1, 2]);
  });

  it("never fail on text and numbers, whatever they are compared with", async () => {
    expect(await matching({ kind: "text", sql: "r.label" }, "x%y")).toEqual([1]);
    expect(await matching({ kind: "contains", sql: "r.label" }, "X%")).toEqual([1]);
    expect(await matching({ kind: "contains", sql: "r.label" }, "x")).toEqual([1, 3]);
    expect(await matching({ kind: "contains", sql: "r.label" }, "\\")).toEqual([]);
    for (const text of ["Ä_Ж", "ä_ж", "Y ä"])
      expect(await matching({ kind: "contains", sql: "r.label" }, text)).toEqual([3]);
    for (const text of ["äxж", "A_"])
      expect(await matching({ kind: "contains", sql: "r.label" }, text)).toEqual([]);
    expect(await matching({ kind: "id", sql: "r.id" }, "2")).toEqual([2]);
    for (const text of ["0", "-1", "x", "9".repeat(19)])
      expect(await matching({ kind: "id", sql: "r.id" }, text)).toEqual([]);
    expect(await matching({ kind: "integer", sql: "r.rate_exp::smallint" }, "0")).toEqual([3, 4]);
    for (const text of ["99999", "9999999999", "1.0", "x"])
      expect(await matching({ kind: "integer", sql: "r.rate_exp::smallint" }, text)).toEqual([]);
    expect(await matching({ kind: "boolean", sql: "r.flag" }, "True")).toEqual([1]);
    expect(await matching({ kind: "boolean", sql: "r.flag" }, "0")).toEqual([2]);
    expect(await matching({ kind: "nothing" }, "x")).toEqual([]);
    const custom: FilterSql = {
      kind: "custom",
      predicate: (bind, text) => `r.currency = ${bind(text)}`,
    };
    expect(await matching(custom, "b")).toEqual([2, 4]);
  });

  it.each([
    ["from", "2026-01-02", [2, 3, 4]],
    ["from", "2026-01-02T00:00:00.000001Z", [3, 4]],
    ["to", "2026-01-01", [1]],
    ["to", "2026-01-02", [1, 2, 3]],
    ["to", "2026-01-02T00:00:00Z", [1, 2]],
    ["to", "2026-01-02T01:00:00+01:00", [1, 2]],
    ["to", "2026-01-02T01:00:00 01:00", [1, 2]],
    ["to", "no time", []],
  ] as const)("match time %s %s", async (kind, text, ids) => {
    expect(await matching({ kind, sql: "r.at" }, text)).toEqual(ids);
  });
});

describe("cursors", () => {
  it.each([
    [
      ["label", false],
      [1, 3, 2, 4],
    ],
    [
      ["label", true],
      [3, 1, 2, 4],
    ],
    [
      ["flag", true],
      [1, 2, 3, 4],
    ],
    [
      ["flag", false],
      [2, 1, 3, 4],
    ],
    [
      ["units", true],
      [1, 2, 3, 4],
    ],
    [
      ["at", true],
      [4, 3, 2, 1],
    ],
  ] as const)("page through ties and nulls, sorted by %s", async ([field, descending], order) => {
    const seen: number[] = [];
    let cursor: string | null = null;
    do {
      const page: ListQuery["page"] = { kind: "after", cursor, size: 1 };
      const query: ListQuery = { filters: new Map(), sort: [{ field, descending }, ...byId], page };
      const fetched: Page<{ id: number }> = await fetchPage<{ id: number }>(db, list(), [], query);
      seen.push(...fetched.items.map((row) => row.id));
      cursor = fetched.kind === "after" ? fetched.next : null;
    } while (cursor !== null);
    expect(seen).toEqual(order);
  });

  it("cost the same at any depth: one index scan that starts at the cursor", async () => {
    const page: ListQuery["page"] = { kind: "after", cursor: null, size: 1 };
    const requests: [text: string, values: readonly SqlValue[]][] = [];
    const recording = {
      query: <Row>(statement: Statement<Row>, values: readonly SqlValue[] = []) => {
        requests.push([statement.text, values]);
        return Promise.resolve(
          [1, 2].map((id) => ({ id, sort_key_0: "2026-01-01T00:00:00Z", sort_key_1: "5" }) as Row),
        );
      },
    };
    const wallets: ListSql = {
      name: "wallet.list",
      select: "w.id",
      from: "wallet w",
      filters: {},
      sort: {
        id: { sql: "w.id", type: "bigint" },
        created_at: { sql: "w.created_at", type: "timestamptz" },
      },
    };
    const sort = [
      { field: "created_at", descending: true },
      { field: "id", descending: true },
    ];
    const scope = [(bind: (value: string) => string) => `w.account_id = ${bind("1")}`];
    const first = await fetchPage(recording, wallets, scope, { filters: new Map(), sort, page });
    const cursor = first.kind === "after" ? first.next : null;
    await fetchPage(recording, wallets, scope, {
      filters: new Map(),
      sort,
      page: { ...page, cursor },
    });
    const [text, values] = present(requests[1], "the second page");
    const plan = await db.transaction(async (tx) => {
      await tx.query(assembledStatement("test", "set local enable_seqscan = off"));
      return tx.query(
        assembledStatement<{ "QUERY PLAN": string }>("test", `explain (costs off) ${text}`),
        values,
      );
    });
    const lines = plan.map((line) => line["QUERY PLAN"].trim());
    expect(lines[1]).toBe("->  Index Only Scan using wallet_by_age on wallet w");
    expect(lines[2]).toMatch(/^Index Cond: .*account_id = .*ROW\(created_at, id\) < ROW/);
  });
});

describe("the statements of a list", () => {
  const age: ListSql = { ...list(), filters: { it: { kind: "id", sql: "r.id" } }, indexed: "at" };
  const after: ListQuery["page"] = { kind: "after", cursor: null, size: 2 };
  const newest = ["at", "id"].map((field) => ({ field, descending: true }));
  const ofOne = () => "r.id > 0";

  it.each<[name: string, mayTakeLong: boolean, scopes: number, query: Partial<ListQuery>]>([
    ["a page behind a cursor, by an index", false, 1, {}],
    [
      "the same backwards",
      false,
      1,
      { sort: newest.map((key) => ({ ...key, descending: false })) },
    ],
    ["some wallets only", true, 2, {}],
    ["a filter", true, 1, { filters: new Map([["it", "1"]]) }],
    ["two directions", true, 1, { sort: [{ field: "at", descending: true }, ...byId] }],
    ["another order", true, 1, { sort: [{ field: "units", descending: true }, ...byId] }],
    ["a count of all", true, 1, { page: firstPage }],
  ])(
    "run on the long-statement connections unless an index serves the page: %s",
    async (...given) => {
      const [, mayTakeLong, scopes, query] = given;
      const requests: Statement<unknown>[] = [];
      const recording = {
        query: <Row>(statement: Statement<Row>, values?: readonly SqlValue[]) => {
          requests.push(statement);
          return db.query(statement, values);
        },
      };
      const all: ListQuery = { filters: new Map(), sort: newest, page: after, ...query };
      await fetchPage(recording, age, new Array<() => string>(scopes).fill(ofOne), all);
      expect(requests.map((statement) => statement.mayTakeLong)).toEqual([mayTakeLong]);
    },
  );

  it("of an indexed page share a few prepared statements", async () => {
    const transfers: ListSql = {
      name: "transfer.list",
      select: "t.id",
      from: "transfer t",
      filters: {},
      indexed: "at",
      sort: {
        id: { sql: "t.id", type: "bigint" },
        at: { sql: "t.created_at", type: "timestamptz" },
      },
    };
    const statements = [
      `insert into transfer (account_id, op_type, status, wallet_id, units, chain, disposition, first_seen_at, created_at, updated_at)
       select 1, 1, 2, 1, 1, 'BTC', 'credited', at, at, at from generate_series(1, 2000) as number
       cross join lateral (select timestamptz '2026-01-01' + number * interval '1 minute' as at) as moment`,
      "analyze transfer",
    ];
    const names = new Set<string>();
    const planned = await db.transaction(async (tx) => {
      for (const text of statements) await tx.query(assembledStatement("test", text));
      const noting = {
        query: <Row>(statement: Statement<Row>, values?: readonly SqlValue[]) => {
          names.add(statement.name);
          return tx.query(statement, values);
        },
      };
      const ask = async (size: number): Promise<void> => {
        const scope = [(bind: (value: string) => string) => `t.account_id = ${bind("1")}`];
        const page = { ...after, size };
        const query = { filters: new Map(), sort: newest, page };
        const found = await fetchPage(noting, transfers, scope, query);
        expect(found.items).toHaveLength(size);
      };
      // PostgreSQL plans a statement five times before it decides whether to keep planning it.
      for (let time = 0; time < 8; time += 1) await ask(10);
      const plans = await tx.query(
        assembledStatement<{ custom: string; generic: string }>(
          "test",
          "select custom_plans as custom, generic_plans as generic from pg_prepared_statements where name = any($1)",
        ),
        [[...names]],
      );
      for (let size = 1; size <= 100; size += 1) await ask(size);
      return plans;
    });
    expect(planned).toEqual([{ custom: "5", generic: "3" }]);
    expect(names.size).toBe(6);
  });

  it.each([
    [{ number: 1, size: 3 }, 1, [1, 2, 3]],
    [{ number: 2, size: 3 }, 2, [4]],
    [{ number: "last", size: 3 }, 2, [4]],
  ] as const)("of a numbered page include the total count: %o", async (page, number, ids) => {
    const query: ListQuery = {
      filters: new Map(),
      sort: byId,
      page: { kind: "numbered", ...page },
    };
    const fetched = await fetchPage<{ id: number }>(db, list(), [], query);
    expect(fetched).toMatchObject({ kind: "numbered", number, count: 4 });
    expect(fetched.items.map((row) => row.id)).toEqual(ids);
  });

  it("return one empty page for an empty list, and no second page", async () => {
    const none = [() => "r.id = 0"];
    const query = (number: number): ListQuery => ({
      filters: new Map(),
      sort: byId,
      page: { kind: "numbered", number, size: 3 },
    });
    const empty = { kind: "numbered", items: [], number: 1, count: 0 };
    expect(await fetchPage(db, list(), none, query(1))).toEqual(empty);
    await expect(fetchPage(db, list(), none, query(2))).rejects.toThrow("Invalid page.");
  });
});
