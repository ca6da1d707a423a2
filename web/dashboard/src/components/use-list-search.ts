import { useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import type { ListQuery } from "../api/list-query.ts";
import { localDays } from "./local-days.ts";

/** A list's filters, search text, sorting and page, all held in the URL, so that a link shows the same list. */
export type ListSearch = {
  readonly filter: Readonly<Record<string, string>>;
  /** The search text. */
  readonly text: string;
  readonly sort: string | null;
  /** The cursor of the shown page; empty for the first. */
  readonly after: string;
  /** Whether the previous pages are known; false after following a link into the middle of a list. */
  readonly hasPreviousPages: boolean;
  /** Changes filters by name and returns to the first page; an empty value removes a filter. */
  readonly setFilter: (changes: Readonly<Record<string, string>>) => void;
  readonly setText: (text: string) => void;
  readonly setSort: (sort: string | null) => void;
  /** Opens the page at a cursor, which the shown page names as its next. */
  readonly goToNext: (next: string) => void;
  /** Opens the previous page, or the first if the previous one is unknown. */
  readonly goToPrevious: () => void;
  readonly clear: () => void;
};

declare module "@tanstack/react-router" {
  interface HistoryState {
    /**
     * The cursors of the previous pages, the first page's empty one included, because cursors only lead forward. The browser's history
     * keeps them across reloads, back and forward.
     */
    readonly previousCursors?: readonly string[];
  }
}

type GivenSearch = Readonly<Record<string, string | undefined>>;

const afterName = "page[after]";
const textName = "search";

export function useListSearch(): ListSearch {
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const previous = useLocation({ select: ({ state }) => state.previousCursors }) ?? [];
  const after = search[afterName] ?? "";
  const go = (changes: Readonly<Record<string, string>>): void => {
    // A cursor belongs to the list it came from. The current URL is merged because it may be newer than the rendered one.
    void navigate({
      to: ".",
      search: (now: GivenSearch) => withoutEmpty({ ...now, [afterName]: "", ...changes }),
      replace: true,
    });
  };
  const openPage = (cursor: string, previousCursors: readonly string[]): void => {
    const next = (now: GivenSearch) => withoutEmpty({ ...now, [afterName]: cursor });
    void navigate({ to: ".", search: next, state: { previousCursors } });
  };
  return {
    filter: readFilter(search),
    text: search[textName] ?? "",
    sort: search["sort"] ?? null,
    after,
    hasPreviousPages: previous.length > 0,
    setFilter: (changes) => {
      go(
        Object.fromEntries(
          Object.entries(changes).map(([name, value]) => [`filter[${name}]`, value]),
        ),
      );
    },
    setText: (text) => {
      go({ [textName]: text });
    },
    setSort: (sort) => {
      go({ sort: sort ?? "" });
    },
    goToNext: (next) => {
      openPage(next, [...previous, after]);
    },
    goToPrevious: () => {
      openPage(previous.at(-1) ?? "", previous.slice(0, -1));
    },
    clear: () => {
      void navigate({ to: ".", search: {}, replace: true });
    },
  };
}

type Filter = Readonly<Record<string, string>>;

/**
 * Maps a search text to filters. With several, in the order in which they are tried, the list shows what the first with a result finds.
 */
export type SearchFilter = (text: string) => Filter | readonly [Filter, ...Filter[]];

/** The query for the service: the filters, with days as instants, plus those that the search text maps to. */
export function listQuery(
  { filter: chosen, text, sort }: Pick<ListSearch, "filter" | "text" | "sort">,
  searchFilter: SearchFilter | null,
): ListQuery {
  const filter = localDays(chosen);
  const found = text === "" || searchFilter === null ? {} : searchFilter(text);
  const [first = {}, ...others] = [found].flat();
  const alternatives = others.map((other) => ({ ...filter, ...other }));
  return { filter: { ...filter, ...first }, sort, alternatives };
}

function readFilter(
  search: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(search).flatMap(([name, value]) => {
      const field = /^filter\[(\w+)\]$/.exec(name)?.[1];
      return field === undefined || value === undefined ? [] : [[field, value]];
    }),
  );
}

function withoutEmpty(
  search: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(search).flatMap(([name, value]) =>
      value === undefined || value === "" ? [] : [[name, value]],
    ),
  );
}
