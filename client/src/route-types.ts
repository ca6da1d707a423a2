import type { Resources, Routes } from "./api-types.gen.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** The paths that a method may be used on, by what they answer. */
export type PathOf<M extends Method, Answers extends "one" | "page" | "nothing" = "one"> = {
  [Name in keyof Routes]: Name extends `${M} ${infer Path}`
    ? Routes[Name]["answers"] extends Answers
      ? Path
      : never
    : never;
}[keyof Routes];

export type RouteAt<M extends Method, Path extends string> = Routes[`${M} ${Path}` & keyof Routes];

export type AnyRoute = Routes[keyof Routes];

/** The include paths of a route: its relationships, and theirs in turn (`wallet.currency`). */
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

/** A resource whose relationships on the include paths have what they lead to as `resource`. */
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

/** What may be said of every call. */
export type CallOptions = {
  readonly signal?: AbortSignal | undefined;
  /** For each attempt. */
  readonly timeoutMs?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** How often it is sent again at most, for this call. */
  readonly retries?: number | undefined;
};

type Shape<Route extends AnyRoute, Path> = {
  readonly include?: readonly Path[] | undefined;
  /** Only these fields of a type are answered; the types still name all of them. */
  readonly fields?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Query parameters of the route's own. */
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
      /** An empty text for the first page of a cursor, then the last answer's `next`. */
      | { readonly after: string; readonly size?: number }
      | undefined;
  };

export type EachInput<Route extends AnyRoute, Path> = GetInput<Route, Path> &
  Filtered<Route> & {
    /** How many are asked for at once, 1 to 100. */
    readonly pageSize?: number | undefined;
  };

export type SendInput<Route extends AnyRoute, Path> = GetInput<Route, Path> &
  (Route["document"] extends null ? unknown : Route["document"]) &
  (Route["isKeyed"] extends true ? KeyOptions : unknown);

export type KeyOptions = {
  /** UUID4. Without one, each call draws its own. Keep yours with your record before you call. */
  readonly idempotencyKey?: string | undefined;
  /** The key may have been sent before this call, by a run of your program that ended early: a used one answers what it made. */
  readonly isResumed?: boolean | undefined;
};

/** Of the HTTP answer behind a result. */
export type ResponseInfo = {
  readonly status: number;
  readonly requestId: string | null;
  readonly headers: Headers;
  /** How often the request was sent. */
  readonly attempts: number;
};

export type Answer<Resource> = {
  readonly data: Resource;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly response: ResponseInfo;
};

export type PageAnswer<Resource> = {
  readonly data: readonly Resource[];
  /** `page`, `pages` and `count` of numbered pages, `size` of cursor pages. */
  readonly pagination: {
    readonly page?: number;
    readonly pages?: number;
    readonly count?: number;
    readonly size?: number;
  };
  /** For `page: { after }` of the next call; null on a cursor's last page and on numbered pages. */
  readonly next: string | null;
  readonly response: ResponseInfo;
};
