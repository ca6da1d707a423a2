/** A list query: filters by their API names, and the sort field with `-` for descending. */
export type ListQuery = {
  readonly filter: Readonly<Record<string, string>>;
  readonly sort: string | null;
  /** Filters to use instead, in this order, while nothing is found. */
  readonly alternatives?: readonly Readonly<Record<string, string>>[];
};

type Page<Row> = { readonly data: readonly Row[]; readonly next: string | null };

/** The query followed by its alternatives. */
export function queriesOf({ alternatives = [], ...query }: ListQuery): readonly ListQuery[] {
  return [query, ...alternatives.map((filter) => ({ ...query, filter }))];
}

/**
 * One page of the first query that finds something. The cursor of a page of the alternative 1 is `1~` and the service's cursor, so that
 * its next page is not looked for in the results of another.
 */
export async function firstFound<Row>(
  query: ListQuery,
  after: string,
  read: (query: ListQuery, after: string) => Promise<Page<Row>>,
): Promise<Page<Row>> {
  const queries = queriesOf(query);
  const [, number = "0", cursor = after] = /^(\d)~(.*)$/.exec(after) ?? [];
  const known = Number(number);
  for (const [index, each] of queries.entries()) {
    if (after !== "" && index !== known) continue;
    const page = await read(each, cursor);
    if (after === "" && page.data.length === 0 && index < queries.length - 1) continue;
    return index === 0 || page.next === null ? page : { ...page, next: `${index}~${page.next}` };
  }
  return { data: [], next: null };
}
