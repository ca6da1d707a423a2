import { type ListQuery, type Page, resolvePage } from "../../platform/kernel/list-query.ts";
import { reject } from "../../platform/kernel/rejection.ts";

/** The text of `filter[text]`, which a search requires. Rejects with invalidValue without one. */
export function searchedText({ filters }: ListQuery): string {
  const text = filters.get("text")?.trim() ?? "";
  return text === ""
    ? reject("invalidValue", "Enter text to search for.", { parameter: "filter[text]" })
    : text;
}

/** A page of all hits of a search, which are at most 20. Rejects with invalidValue for a cursor. */
export function pageOfHits<Hit>({ page }: ListQuery, hits: readonly Hit[]): Page<Hit> {
  if (page.kind === "after") {
    return reject("invalidValue", "Search has no cursor, because it returns at most 20 hits.", {
      parameter: "page[after]",
    });
  }
  const number = resolvePage(page, hits.length);
  const items = hits.slice((number - 1) * page.size, number * page.size);
  return { kind: "numbered", items, number, count: hits.length };
}
