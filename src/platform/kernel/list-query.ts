import { reject } from "./rejection.ts";

/** What a caller asks of a list, already checked against the resource's definition. */
export type ListQuery = {
  /** Filter name to its text, valid by the filter's pattern, length and choices. */
  readonly filters: ReadonlyMap<string, string>;
  /** The whole order: it ends with `id`, so that no two items tie. */
  readonly sort: readonly SortKey[];
  readonly page: PageRequest;
};

export type SortKey = { readonly field: string; readonly descending: boolean };

/** A page by its number (1 is the first), or the items after a cursor (null: from the start). */
export type PageRequest =
  | { readonly kind: "numbered"; readonly number: number | "last"; readonly size: number }
  | { readonly kind: "after"; readonly cursor: string | null; readonly size: number };

/** One page of a list. Numbered pages know how many items there are; a cursor knows only whether more follow. */
export type Page<Item> =
  | {
      readonly kind: "numbered";
      readonly items: readonly Item[];
      readonly number: number;
      readonly count: number;
    }
  | { readonly kind: "after"; readonly items: readonly Item[]; readonly next: string | null };

/** The same page with each item rendered. */
export function mapPage<Item, Rendered>(
  page: Page<Item>,
  render: (item: Item) => Rendered,
): Page<Rendered> {
  return { ...page, items: page.items.map((item) => render(item)) };
}

/** The number of the page asked for in a list of `count` items. Rejects with `notFound` one that there is not. */
export function resolvePage(
  { number, size }: Extract<PageRequest, { readonly kind: "numbered" }>,
  count: number,
): number {
  const pages = pageCount(count, size);
  if (number === "last") return pages;
  return number > pages ? noSuchPage() : number;
}

/** Rejects with `notFound`: a list has no such page. */
export function noSuchPage(): never {
  return reject("notFound", "Invalid page.", { parameter: "page[number]" });
}

/** How many pages `count` items fill; an empty list has one, empty page. */
export function pageCount(count: number, size: number): number {
  return Math.max(1, Math.ceil(count / size));
}
