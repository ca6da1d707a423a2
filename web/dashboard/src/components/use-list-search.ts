import { useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import type { ListQuery } from "../api/list-source.ts";

/** How a list is narrowed and ordered, as it stands in the address bar: a link to a list shows the same list. */
export type ListSearch = {
  readonly filter: Readonly<Record<string, string>>;
  /** What was typed into the free search. */
  readonly text: string;
  readonly sort: string | null;
  /** The cursor of the page that is shown; empty for the first. */
  readonly after: string;
  /** Whether the pages before this one are known: not where a link led into the middle of a list. */
  readonly knowsWayBack: boolean;
  /** Changes filters by name; an empty text removes one. Leads to the first page. */
  readonly setFilter: (changes: Readonly<Record<string, string>>) => void;
  readonly setText: (text: string) => void;
  readonly setSort: (sort: string | null) => void;
  /** To the page behind a cursor, which the shown one names as its next. */
  readonly goOn: (next: string) => void;
  /** To the page before the shown one, or to the first. */
  readonly goBack: () => void;
  readonly clear: () => void;
};

declare module "@tanstack/react-router" {
  interface HistoryState {
    /**
     * The cursors of the pages that were passed on the way to a list's page, the first page's empty one included: cursors lead forward
     * only. Kept in the browser's history, so that it survives a reload and fits wherever back and forward lead.
     */
    readonly passed?: readonly string[];
  }
}

type GivenSearch = Readonly<Record<string, string | undefined>>;

const afterName = "page[after]";
const textName = "search";

export function useListSearch(): ListSearch {
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const passed = useLocation({ select: ({ state }) => state.passed }) ?? [];
  const after = search[afterName] ?? "";
  const go = (changes: Readonly<Record<string, string>>): void => {
    // Whatever else changes, a cursor of the list before it means nothing any more. What stands in the address now is kept, which may
    // be newer than what is drawn.
    void navigate({
      to: ".",
      search: (now: GivenSearch) => withoutEmpty({ ...now, [afterName]: "", ...changes }),
      replace: true,
    });
  };
  const goTo = (cursor: string, way: readonly string[]): void => {
    const next = (now: GivenSearch) => withoutEmpty({ ...now, [afterName]: cursor });
    void navigate({ to: ".", search: next, state: { passed: way } });
  };
  return {
    filter: readFilter(search),
    text: search[textName] ?? "",
    sort: search["sort"] ?? null,
    after,
    knowsWayBack: passed.length > 0,
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
    goOn: (next) => {
      goTo(next, [...passed, after]);
    },
    goBack: () => {
      goTo(passed.at(-1) ?? "", passed.slice(0, -1));
    },
    clear: () => {
      void navigate({ to: ".", search: {}, replace: true });
    },
  };
}

/** What the service is asked: the filters, and those that stand for the free text. */
export function listQuery(
  { filter, text, sort }: Pick<ListSearch, "filter" | "text" | "sort">,
  searchFilter: ((text: string) => Readonly<Record<string, string>>) | null,
): ListQuery {
  const found = text === "" || searchFilter === null ? {} : searchFilter(text);
  return { filter: { ...filter, ...found }, sort };
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
