import { reject } from "./rejection.ts";

/** A list request, already validated against the resource's definition. */
export type ListQuery = {
  /** Filter texts by name, valid by the filter's pattern, length and choices. */
  readonly filters: ReadonlyMap<string, string>;
  /** The sort order. It ends with `id`, so no two items tie. */
  readonly sort: readonly SortKey[];
  readonly page: PageRequest;
};

export type SortKey = { readonly field: string; readonly descending: boolean };

/** A page by its number (1 is the first), or the items after a cursor (null: from the start). */
export type PageRequest =
  | {
      readonly kind: "numbered";
      readonly number: number | "last";
      readonly size: number;
      /** The name of the number's parameter in the request; absent: `page[number]`. */
      readonly parameter?: string;
    }
  | { readonly kind: "after"; readonly cursor: string | null; readonly size: number };

/**
 * One page of a list. Numbered pages know the total count, or an estimate of it in a long list; cursor pages only whether more
 * items follow.
 */
export type Page<Item> =
  | {
      readonly kind: "numbered";
      readonly items: readonly Item[];
      readonly number: number;
      readonly count: number;
      /** Present if `count` is an estimate. `next`: what comes after this page: `number` (the next one), a cursor, or nothing. */
      readonly estimate?: { readonly next: string | null };
    }
  | { readonly kind: "after"; readonly items: readonly Item[]; readonly next: string | null };

/** Renders each item of a page. */
export function mapPage<Item, Rendered>(
  page: Page<Item>,
  render: (item: Item) => Rendered,
): Page<Rendered> {
  return { ...page, items: page.items.map((item) => render(item)) };
}

/** The number of the requested page in a list of `count` items. Rejects with `notFound` if it does not exist. */
export function resolvePage(
  page: Extract<PageRequest, { readonly kind: "numbered" }>,
  count: number,
): number {
  const pages = pageCount(count, page.size);
  if (page.number === "last") return pages;
  return page.number > pages ? rejectPage(page) : page.number;
}

/** Rejects with `notFound` for a page that does not exist. */
export function rejectPage({ parameter = "page[number]" }: { readonly parameter?: string }): never {
  return reject("notFound", "Invalid page.", { parameter });
}

/** The number of pages; an empty list has one empty page. */
export function pageCount(count: number, size: number): number {
  return Math.max(1, Math.ceil(count / size));
}
