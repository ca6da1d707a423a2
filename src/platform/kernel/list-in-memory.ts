import { assert, present } from "./assert.ts";
import { type ListQuery, type Page, resolvePage, type SortKey } from "./list-query.ts";
import { reject } from "./rejection.ts";

/** How the items of a list in memory are filtered and sorted. `Filters` names the filters of its resource. */
export type MemoryList<Item, Filters extends string = string> = {
  readonly id: (item: Item) => string;
  readonly filters: Readonly<Record<Filters, (item: Item, text: string) => boolean>>;
  /** `id` sorts by number and need not be given. */
  readonly sort: Readonly<Record<string, (item: Item) => string | number>>;
};

/** One page of `items`. Rejects with `notFound` for a page that does not exist, `invalidValue` for an unknown cursor. */
export function listInMemory<Item>(
  items: readonly Item[],
  list: MemoryList<Item>,
  query: ListQuery,
): Page<Item> {
  const matching = items.filter((item) =>
    [...query.filters].every(([name, text]) =>
      present(list.filters[name], `filter ${name} of an in-memory list`)(item, text),
    ),
  );
  const sorted = matching.toSorted((left, right) => compare(left, right, list, query.sort));
  return slice(sorted, list.id, query);
}

function slice<Item>(
  sorted: readonly Item[],
  id: (item: Item) => string,
  { page }: ListQuery,
): Page<Item> {
  if (page.kind === "numbered") {
    const number = resolvePage(page, sorted.length);
    const from = (number - 1) * page.size;
    const items = sorted.slice(from, from + page.size);
    return { kind: "numbered", items, number, count: sorted.length };
  }
  const last = page.cursor === null ? -1 : sorted.findIndex((item) => id(item) === page.cursor);
  if (page.cursor !== null && last === -1)
    reject("invalidValue", "This cursor does not belong to this list.", {
      parameter: "page[after]",
    });
  const items = sorted.slice(last + 1, last + 1 + page.size);
  const more = last + 1 + page.size < sorted.length;
  const end = items.at(-1);
  return { kind: "after", items, next: more && end !== undefined ? id(end) : null };
}

function compare<Item>(
  left: Item,
  right: Item,
  list: MemoryList<Item>,
  sort: readonly SortKey[],
): number {
  for (const { field, descending } of sort) {
    const value = list.sort[field] ?? ((item: Item) => Number(list.id(item)));
    assert(field === "id" || list.sort[field] !== undefined, `sort field ${field} of a list`);
    const [a, b] = [value(left), value(right)];
    if (a !== b) return a < b === descending ? 1 : -1;
  }
  return 0;
}
