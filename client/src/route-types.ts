import type { Resources, Routes } from "./api-types.gen.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** The paths of a method, by kind of response. */
export type PathOf<M extends Method, Answers extends "one" | "page" | "nothing" = "one"> = {
  [Name in keyof Routes]: Name extends `${M} ${infer Path}`
    ? Routes[Name]["answers"] extends Answers
      ? Path
      : never
    : never;
}[keyof Routes];

export type RouteAt<M extends Method, Path extends string> = Routes[`${M} ${Path}` & keyof Routes];

export type AnyRoute = Routes[keyof Routes];

/** The include paths of a route: its relationships and nested ones (`wallet.currency`). */
export type IncludeOf<Route extends AnyRoute> =
  | Route["include"]
  | (Route["include"] extends string ? `${Route["include"]}.${string}` : never);

type First<Path> = Path extends `${infer Step}.${string}` ? Step : Path;

type Related<Relationship> = Relationship extends { readonly data: infer Data }
  ? Data extends { readonly type: infer Type }
    ? Type extends keyof Resources
      ? Resources[Type]
      : never
    : never
  : never;

/** A resource with `resource` in the relationships on the include paths. */
export type WithIncluded<Resource, Path> = [Path] extends [never]
  ? Resource
  : Resource extends { readonly relationships: infer Relationships }
    ? Omit<Resource, "relationships"> & {
        readonly relationships: {
          readonly [Name in keyof Relationships]: Name extends First<Path>
            ? Relationships[Name] & { readonly resource: Related<Relationships[Name]> | null }
            : Relationships[Name];
        };
      }
    : Resource;

/** Options of every call. */
export type CallOptions = {
  readonly signal?: AbortSignal | undefined;
  /** Timeout of each attempt. */
  readonly timeoutMs?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Maximum number of retries of this call. */
  readonly retries?: number | undefined;
};

type Shape<Route extends AnyRoute, Path> = {
  readonly include?: readonly Path[] | undefined;
  /** Returns only these fields of a type. The TypeScript types still contain all fields. */
  readonly fields?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Other query parameters of the route. */
  readonly query?: Route["parameters"] | undefined;
};

type Filtered<Route extends AnyRoute> = {
  readonly filter?: Route["filter"] | undefined;
  readonly sort?: readonly (Route["sort"] | `-${Route["sort"]}`)[] | undefined;
};

export type GetInput<Route extends AnyRoute, Path> = Route["params"] &
  Shape<Route, Path> &
  CallOptions;

export type ListInput<Route extends AnyRoute, Path> = GetInput<Route, Path> &
  Filtered<Route> & {
    readonly page?:
      | { readonly number?: number | "last"; readonly size?: number }
      /** Cursor: an empty string for the first page, then `next` of the previous one. */
      | { readonly after: string; readonly size?: number }
      | undefined;
  };

export type EachInput<Route extends AnyRoute, Path> = GetInput<Route, Path> &
  Filtered<Route> & {
    /** Resources per request, 1 to 100. */
    readonly pageSize?: number | undefined;
  };

export type SendInput<Route extends AnyRoute, Path> = GetInput<Route, Path> &
  (Route["document"] extends null ? unknown : Route["document"]) &
  (Route["isKeyed"] extends true ? KeyOptions : unknown);

export type KeyOptions = {
  /** UUIDv4; a random one by default. Store your own with your record before the call. */
  readonly idempotencyKey?: string | undefined;
  /** An earlier run may have sent the key: a used key then returns what it created. */
  readonly isResumed?: boolean | undefined;
};

/** Metadata of the HTTP response. */
export type ResponseInfo = {
  readonly status: number;
  readonly requestId: string | null;
  readonly headers: Headers;
  /** Number of attempts. */
  readonly attempts: number;
};

export type ResourceResponse<Resource> = {
  readonly data: Resource;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly response: ResponseInfo;
};

export type PageResponse<Resource> = {
  readonly data: readonly Resource[];
  /** `page`, `pages` and `count` for numbered pages, `size` for cursor pages. Above 10,000 rows `pages` and `count` are estimates. */
  readonly pagination: {
    readonly page?: number;
    readonly pages?: number;
    readonly count?: number;
    readonly is_estimate?: boolean;
    readonly size?: number;
  };
  /** Cursor for `page: { after }` of the next call; null on the last page and for numbered pages. */
  readonly next: string | null;
  readonly response: ResponseInfo;
};
