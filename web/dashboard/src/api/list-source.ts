import type {
  IncludeOf,
  ListInput,
  PathOf,
  RouteAt,
  WithIncluded,
} from "../../../../client/src/route-types.ts";
import { api } from "./api.ts";

/** What a list is asked for: filters by their names in the interface, sort fields with `-` for descending. */
export type ListQuery = {
  readonly filter: Readonly<Record<string, string>>;
  readonly sort: string | null;
};

/** Where a table's rows come from. */
export type ListSource<Row> = {
  /** Tells one list from another in the query cache: the path. */
  readonly path: string;
  /** One page of 25; `after` is empty for the first, then the last page's `next`. */
  readonly page: (
    query: ListQuery,
    after: string,
    signal: AbortSignal,
  ) => Promise<{ readonly data: readonly Row[]; readonly next: string | null }>;
  /** All pages, read as they are needed. */
  readonly all: (query: ListQuery, signal: AbortSignal) => AsyncIterable<Row>;
};

const pageSize = 25;

/**
 * A list route as the source of a table: `listSource("/deposit/", { include: ["wallet.currency"] })`. Its rows are typed with what is
 * included. `filter` is always sent and hidden from the filter bar.
 */
export function listSource<
  Path extends PathOf<"GET", "page">,
  Include extends IncludeOf<RouteAt<"GET", Path>> = never,
>(
  path: Path,
  options: {
    readonly include?: readonly Include[];
    readonly filter?: RouteAt<"GET", Path>["filter"];
  } = {},
): ListSource<WithIncluded<RouteAt<"GET", Path>["resource"], Include>> {
  // Filters and sorts come from the address bar: the service itself says which of them it does not know.
  const input = ({ filter, sort }: ListQuery): object => ({
    filter: { ...filter, ...options.filter },
    ...(sort === null ? {} : { sort: sort.split(",") }),
    ...(options.include === undefined ? {} : { include: options.include }),
  });
  type Input = ListInput<RouteAt<"GET", Path>, Include>;
  return {
    path: `${path}${JSON.stringify(options)}`,
    page: (query, after, signal) => {
      const asked = { ...input(query), page: { after, size: pageSize }, signal };
      return api.list<Path, Include>(path, asked as unknown as Input);
    },
    all: (query, signal) =>
      api.each<Path, Include>(path, ...([{ ...input(query), signal }] as never)),
  };
}

/** The rows of a source: `type Row = RowOf<typeof source>`. */
export type RowOf<Source> = Source extends ListSource<infer Row> ? Row : never;
