import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import type { ListQuery, Page, PageRequest } from "../kernel/list-query.ts";
import { fetchPage, type ListSql } from "./list-query.ts";

/** Pages of a list that is too long to be counted: their content is exact, their count an estimate. */

const { db } = useDatabase();

type Row = { readonly id: number };

const listOf = (rows: number): ListSql => ({
  name: "test.numbers",
  select: "r.id",
  from: `generate_series(1, ${rows}) as r (id) left join (values (0)) as other (id) using (id)`,
  count: { from: `generate_series(1, ${rows}) as r (id)`, unless: "other." },
  filters: {
    odd: { kind: "custom", predicate: () => "r.id % 2 = 1" },
    other: { kind: "custom", predicate: () => "other.id is null" },
  },
  sort: {
    id: { sql: "r.id", type: "bigint" },
    half: { sql: "nullif(r.id / 2, 7)", type: "bigint", isNullable: true },
  },
});

const ask = (
  rows: number,
  page: PageRequest,
  {
    sort = [{ field: "id", descending: false }],
    filter,
  }: { sort?: ListQuery["sort"]; filter?: string } = {},
): Promise<Page<Row>> =>
  fetchPage<Row>(db, listOf(rows), [() => "r.id > 0"], {
    filters: new Map(filter === undefined ? [] : [[filter, "x"]]),
    sort,
    page,
  });
const at = (number: number | "last", size = 10): PageRequest => ({
  kind: "numbered",
  number,
  size,
});
const ids = ({ items }: Page<Row>): number[] => items.map(({ id }) => id);

describe("a list of up to 10,000 rows", () => {
  it("is counted exactly", async () => {
    for (const number of [1, 1_000, "last"] as const) {
      const page = await ask(10_000, at(number));
      expect(page).toMatchObject({ count: 10_000, number: number === "last" ? 1_000 : number });
      expect(page).not.toHaveProperty("estimate");
    }
    await expect(ask(10_000, at(1_001))).rejects.toThrow("Invalid page.");
    await expect(ask(10_000, at(99_999))).rejects.toThrow("Invalid page.");
  });
});

describe("a list of more rows", () => {
  it("has an estimated count, marked as one", async () => {
    const page = await ask(25_000, at(1));
    expect(ids(page)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(page).toMatchObject({ number: 1, estimate: { next: "number" } });
    expect(page.kind === "numbered" && page.count).toBeGreaterThan(10_000);
  });

  it("is never estimated below the rows that a page shows to exist", async () => {
    const page = await ask(25_000, at(1_200), { filter: "odd" });
    expect(ids(page)[0]).toBe(23_981);
    expect(page.kind === "numbered" && page.count).toBeGreaterThanOrEqual(12_000);
  });

  it("continues by cursor behind the rows that are counted, without skipping or repeating one", async () => {
    const seen: number[] = [];
    for (let page = await ask(25_000, at(999)); ; ) {
      seen.push(...ids(page));
      if (page.kind !== "numbered" || page.estimate?.next !== "number") {
        const next = page.kind === "after" ? page.next : page.estimate?.next;
        if (next === null || next === undefined || seen.length > 60) break;
        page = await ask(25_000, { kind: "after", cursor: next, size: 10 });
      } else page = await ask(25_000, at(page.number + 1));
    }
    expect(seen).toEqual(Array.from({ length: seen.length }, (_, index) => 9_981 + index));
    expect(seen.length).toBeGreaterThan(60);
  });

  it("ends: its last numbered page has nothing behind it, and the next one does not exist", async () => {
    const last = await ask(25_000, at(2_500));
    expect([ids(last).at(-1), last]).toMatchObject([25_000, { estimate: { next: null } }]);
    await expect(ask(25_000, at(2_501))).rejects.toThrow("Invalid page.");
  });

  it.each([
    ["id", false, [24_998, 24_999, 25_000]],
    ["id", true, [3, 2, 1]],
    ["half", false, [25_000, 14, 15]],
    ["half", true, [1, 14, 15]],
  ] as const)(
    "is read from its end for the last page, sorted by %s, descending %s",
    async (...given) => {
      const [field, descending, expected] = given;
      const sort = [
        { field, descending },
        ...(field === "id" ? [] : [{ field: "id", descending: false }]),
      ];
      const page = await ask(25_000, at("last", 3), { sort });
      expect(ids(page)).toEqual(expected);
      expect(page).toMatchObject({ estimate: { next: null } });
    },
  );

  it("is not read by numbers behind its first 100,000 rows", async () => {
    expect(ids(await ask(150_000, at(1_000, 100))).at(-1)).toBe(100_000);
    await expect(ask(150_000, at(1_001, 100))).rejects.toThrow(
      "Page numbers reach the first 100000 rows, here page 1000.",
    );
  });

  it("is counted with the tables that its conditions mention", async () => {
    for (const filter of ["odd", "other"])
      expect(await ask(9_000, at(1), { filter })).toMatchObject({
        count: filter === "odd" ? 4_500 : 9_000,
      });
  });
});
