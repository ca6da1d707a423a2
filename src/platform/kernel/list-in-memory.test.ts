import { describe, expect, it } from "vitest";
import { listInMemory } from "./list-in-memory.ts";
import type { ListQuery, PageRequest, SortKey } from "./list-query.ts";

type Item = { readonly id: string; readonly name: string };
const items: readonly Item[] = Array.from({ length: 12 }, (_, index) => ({
  id: String(index + 1),
  name: index % 2 === 0 ? "even" : "odd",
}));
const list = {
  id: (item: Item) => item.id,
  filters: { name: (item: Item, text: string) => item.name === text },
  sort: { name: (item: Item) => item.name },
};
const byId: SortKey[] = [{ field: "id", descending: false }];

function ask(page: PageRequest, sort = byId, filters: ListQuery["filters"] = new Map()) {
  return listInMemory(items, list, { filters, sort, page });
}
const ids = (page: { readonly items: readonly Item[] }): string =>
  page.items.map((item) => item.id).join(" ");

describe("listInMemory", () => {
  it("sorts ids as numbers and counts pages", () => {
    const second = ask({ kind: "numbered", number: 2, size: 5 });
    expect([ids(second), second]).toMatchObject(["6 7 8 9 10", { number: 2, count: 12 }]);
    expect(ids(ask({ kind: "numbered", number: "last", size: 5 }))).toBe("11 12");
  });

  it("filters and sorts before cutting pages", () => {
    const sort = [
      { field: "name", descending: true },
      { field: "id", descending: true },
    ];
    expect(ids(ask({ kind: "numbered", number: 1, size: 7 }, sort))).toBe("12 10 8 6 4 2 11");
    const odd = ask({ kind: "numbered", number: 1, size: 9 }, byId, new Map([["name", "odd"]]));
    expect([ids(odd), odd]).toMatchObject(["2 4 6 8 10 12", { count: 6 }]);
  });

  it("continues after the item that a cursor names", () => {
    const first = ask({ kind: "after", cursor: null, size: 5 });
    expect([ids(first), first]).toMatchObject(["1 2 3 4 5", { next: "5" }]);
    const last = ask({ kind: "after", cursor: "10", size: 5 });
    expect([ids(last), last]).toMatchObject(["11 12", { next: null }]);
  });

  it("rejects pages and cursors that do not exist", () => {
    expect(() => ask({ kind: "numbered", number: 3, size: 6 })).toThrow("notFound");
    expect(() => ask({ kind: "after", cursor: "99", size: 6 })).toThrow("invalidValue");
    const none = ask({ kind: "numbered", number: 1, size: 6 }, byId, new Map([["name", "x"]]));
    expect(none).toMatchObject({ items: [], number: 1, count: 0 });
  });
});
