export type QueryValue =
  | string
  | number
  | boolean
  | bigint
  | readonly (string | number)[]
  | null
  | undefined;

/** JSON:API query parameters for lists and for the shape of a response. */
export type ShapeQuery = {
  readonly filter?: Readonly<Record<string, QueryValue>> | undefined;
  readonly sort?: string | readonly string[] | undefined;
  readonly include?: readonly string[] | undefined;
  readonly fields?: Readonly<Record<string, readonly string[] | undefined>> | undefined;
  readonly page?: Readonly<Record<string, QueryValue>> | undefined;
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
};

/** Fills the parameters of a path such as `/deposit/{id}/`. Throws if one is missing. */
export function buildPath(
  path: string,
  params: Readonly<Record<string, string | number | undefined>>,
): string {
  return path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = params[name];
    if (value === undefined || value === "") throw new TypeError(`${path} needs ${name}`);
    return encodeURIComponent(String(value));
  });
}

/** Builds the query string with its question mark, or an empty string. Omits undefined and null values. */
export function buildQuery({ filter, sort, include, fields, page, query }: ShapeQuery): string {
  const entries: [string, QueryValue][] = [
    ...bracketed("filter", filter),
    ["sort", typeof sort === "string" || sort === undefined ? sort : sort.join()],
    ["include", include === undefined || include.length === 0 ? undefined : include.join()],
    ...bracketed("fields", fields),
    ...bracketed("page", page),
    ...Object.entries(query ?? {}),
  ];
  const parts = entries.flatMap(([name, value]) =>
    value === undefined || value === null
      ? []
      : [`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`],
  );
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}

function bracketed(
  name: string,
  members: Readonly<Record<string, QueryValue>> | undefined,
): [string, QueryValue][] {
  return Object.entries(members ?? {}).map(([key, value]) => [`${name}[${key}]`, value]);
}
