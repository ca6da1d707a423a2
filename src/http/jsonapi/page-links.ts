import type { JsonObject } from "../../platform/kernel/json.ts";
import { type ListQuery, type Page, pageCount } from "../../platform/kernel/list-query.ts";
import type { Parameters } from "./read-query.ts";

/** The parameters that select a page; each link sets its own. */
const positions: ReadonlySet<string> = new Set(["page", "page[number]", "page[after]"]);

/** `links` and `meta` of one page of a list. `address`: the list's absolute URL without a query. */
export function pageEnvelope(
  page: Page<unknown>,
  query: ListQuery,
  parameters: Parameters,
  address: string,
): { readonly links: JsonObject; readonly meta: JsonObject } {
  const at = (name: string, value: string): string => {
    const kept = parameters.filter(([key]) => !positions.has(key));
    return withQuery(address, [...new Map([...kept, [name, value]])]);
  };
  if (page.kind === "after")
    return {
      links: {
        first: at("page[after]", ""),
        next: page.next === null ? null : at("page[after]", page.next),
      },
      meta: { pagination: { size: query.page.size } },
    };
  const pages = pageCount(page.count, query.page.size);
  const number = (value: number): string => at("page[number]", String(value));
  const { estimate } = page;
  if (estimate !== undefined)
    return {
      links: {
        first: number(1),
        last: at("page[number]", "last"),
        next: nextOfMany(estimate.next, { number: number(page.number + 1), at }),
        // The number of the last page is an estimate too: no number is known to precede it.
        prev: page.number > 1 && estimate.next !== null ? number(page.number - 1) : null,
      },
      meta: { pagination: { page: page.number, pages, count: page.count, is_estimate: true } },
    };
  return {
    links: {
      first: number(1),
      last: number(pages),
      next: page.number < pages ? number(page.number + 1) : null,
      prev: page.number > 1 ? number(page.number - 1) : null,
    },
    meta: { pagination: { page: page.number, pages, count: page.count } },
  };
}

function nextOfMany(
  next: string | null,
  { number, at }: { readonly number: string; readonly at: (name: string, value: string) => string },
): string | null {
  if (next === null) return null;
  return next === "number" ? number : at("page[after]", next);
}

/** The URL with these parameters, sorted by name, with encoded brackets. */
function withQuery(address: string, parameters: [string, string][]): string {
  const sorted = parameters.toSorted(([left], [right]) => (left < right ? -1 : 1));
  const encoded = sorted.map(([name, value]) => `${encode(name)}=${encode(value)}`);
  return `${address}?${encoded.join("&")}`;
}

/** `encodeURIComponent` throws on a lone surrogate; the text arrived as valid UTF-8 and has none. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
