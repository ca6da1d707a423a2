import type {
  IncludeOf,
  ListInput,
  PathOf,
  RouteAt,
  WithIncluded,
} from "../../../../client/src/route-types.ts";
import { api } from "./api.ts";
import { firstFound, type ListQuery, queriesOf } from "./list-query.ts";

/** The source of a table's rows. */
export type ListSource<Row> = {
  /** Identifies the list in the query cache. */
  readonly path: string;
  /** One page of 25 rows; `after` is empty for the first page, then the previous page's `next`. */
  readonly page: (
    query: ListQuery,
    after: string,
    signal: AbortSignal,
  ) => Promise<{ readonly data: readonly Row[]; readonly next: string | null }>;
  /** The rows of all pages, read lazily. */
  readonly all: (query: ListQuery, signal: AbortSignal) => AsyncIterable<Row>;
};

const pageSize = 25;

/**
 * A list route as the source of a table: `listSource("/deposit/", { include: ["wallet.currency"] })`. The row type contains the
 * included relationships. `filter` is always sent and does not appear in the filter bar.
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
  // Filters and sort fields come from the URL; the service rejects unknown ones.
  const input = ({ filter, sort }: ListQuery): object => ({
    filter: { ...filter, ...options.filter },
    ...(sort === null ? {} : { sort: sort.split(",") }),
    ...(options.include === undefined ? {} : { include: options.include }),
  });
  type Input = ListInput<RouteAt<"GET", Path>, Include>;
  return {
    path: `${path}${JSON.stringify(options)}`,
    page: (query, after, signal) =>
      firstFound(query, after, (each, cursor) => {
        const pageInput = { ...input(each), page: { after: cursor, size: pageSize }, signal };
        return api.list<Path, Include>(path, pageInput as unknown as Input);
      }),
    all: async function* (query, signal) {
      for (const each of queriesOf(query)) {
        let isFound = false;
        for await (const row of api.each<Path, Include>(
          path,
          ...([{ ...input(each), signal }] as never),
        )) {
          isFound = true;
          yield row;
        }
        if (isFound) return;
      }
    },
  };
}

/** The row type of a source: `type Row = RowOf<typeof source>`. */
export type RowOf<Source> = Source extends ListSource<infer Row> ? Row : never;
