import { type AccessTokens, createSession } from "./access-tokens.ts";
import { type AuthToken, documentTypes, keyedRoutes, type Metadata } from "./api-types.gen.ts";
import { buildPath, buildQuery, type ShapeQuery } from "./build-url.ts";
import { type ClientOptions, type ClientSettings, defaultRetries } from "./client-settings.ts";
import { type FeedInput, followEvents } from "./follow-events.ts";
import { randomKey } from "./random-key.ts";
import { readPage, readResource, responseInfo } from "./read-response.ts";
import { recoverByKey, recoverRemoved } from "./recover-lost.ts";
import type {
  CallOptions,
  EachInput,
  GetInput,
  IncludeOf,
  KeyOptions,
  ListInput,
  Method,
  PageResponse,
  PathOf,
  ResourceResponse,
  ResponseInfo,
  RouteAt,
  SendInput,
  WithIncluded,
} from "./route-types.ts";
import { type Recover, type Sent, sendWithRetries, type Transport } from "./send-with-retries.ts";

/** Makes the input optional if none of its members is required. */
type Given<Input> = object extends Input ? [input?: Input] : [input: Input];

type OneOf<M extends Method, Path extends string, Include> = Promise<
  ResourceResponse<WithIncluded<RouteAt<M, Path>["resource"], Include>>
>;

/** Methods of the API. Paths are those of `/docs`; path parameters such as `{id}` are members of the input. */
export type Client = {
  /** Reads one resource: `client.get("/deposit/{id}/", { id: "5", include: ["wallet"] })`. */
  readonly get: <
    Path extends PathOf<"GET">,
    Include extends IncludeOf<RouteAt<"GET", Path>> = never,
  >(
    path: Path,
    ...input: Given<GetInput<RouteAt<"GET", Path>, Include>>
  ) => OneOf<"GET", Path, Include>;
  /** Reads one page of a list. */
  readonly list: <
    Path extends PathOf<"GET", "page">,
    Include extends IncludeOf<RouteAt<"GET", Path>> = never,
  >(
    path: Path,
    ...input: Given<ListInput<RouteAt<"GET", Path>, Include>>
  ) => Promise<PageResponse<WithIncluded<RouteAt<"GET", Path>["resource"], Include>>>;
  /** Iterates over a whole list with cursor pagination, loading pages on demand. */
  readonly each: <
    Path extends PathOf<"GET", "page">,
    Include extends IncludeOf<RouteAt<"GET", Path>> = never,
  >(
    path: Path,
    ...input: Given<EachInput<RouteAt<"GET", Path>, Include>>
  ) => AsyncGenerator<WithIncluded<RouteAt<"GET", Path>["resource"], Include>, void, undefined>;
  /** Creates a resource or performs an action: `client.post("/deposit/{id}/cancel/", { id })`. */
  readonly post: <
    Path extends PathOf<"POST">,
    Include extends IncludeOf<RouteAt<"POST", Path>> = never,
  >(
    path: Path,
    ...input: Given<SendInput<RouteAt<"POST", Path>, Include>>
  ) => OneOf<"POST", Path, Include>;
  /** Changes the given members only: `client.patch("/deposit/{id}/", { id, attributes: { label } })`. */
  readonly patch: <
    Path extends PathOf<"PATCH">,
    Include extends IncludeOf<RouteAt<"PATCH", Path>> = never,
  >(
    path: Path,
    ...input: Given<SendInput<RouteAt<"PATCH", Path>, Include>>
  ) => OneOf<"PATCH", Path, Include>;
  /** Deletes a resource. A 404 after a lost response counts as success. */
  readonly delete: <Path extends PathOf<"DELETE", "nothing">>(
    path: Path,
    ...input: Given<RouteAt<"DELETE", Path>["params"] & CallOptions>
  ) => Promise<ResponseInfo>;
  /** Reads the OPTIONS metadata of a path: methods, filters, writable fields. */
  readonly options: (
    path: PathOf<Method, "one" | "page" | "nothing">,
    input?: CallOptions & Readonly<Record<string, unknown>>,
  ) => Promise<Metadata["data"]>;
  /** Iterates over the event feed from a number on, oldest first. See `followEvents`. */
  readonly events: (input?: FeedInput) => ReturnType<typeof followEvents>;
  /** Returns the current access token, renewed if necessary; null if requests carry none. */
  readonly accessToken: () => Promise<string | null>;
};

type Input = ShapeQuery &
  CallOptions &
  KeyOptions & {
    readonly attributes?: Readonly<Record<string, unknown>>;
    readonly relationships?: Readonly<Record<string, { type: string; id: string | number } | null>>;
  } & Readonly<Record<string, unknown>>;

/**
 * Creates a client of one service. It logs in on first use and renews its tokens. It retries after 429 and 503, and after a
 * lost response, except for a POST to a route without idempotency keys: it might act twice.
 */
export function createClient(settings: ClientSettings, options: ClientOptions = {}): Client {
  const base = settings.baseUrl.replace(/\/+$/, "");
  const { retries, delayMs, delayMaxMs, retryAfterMaxMs } = { ...defaultRetries, ...options };
  const unauthenticated: Transport = {
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    fetchInit: options.fetchInit ?? {},
    headers: options.headers ?? {},
    timeoutMs: options.timeoutMs ?? 30_000,
    retry: { retries, delayMs, delayMaxMs, retryAfterMaxMs },
    tokens: null,
  };
  const tokens = tokensOf(settings, unauthenticated, base);
  const transport: Transport = { ...unauthenticated, tokens };
  const request = (method: Method | "OPTIONS", path: string, input: Input = {}): Promise<Sent> =>
    send(transport, base, method, path, input);

  const callOne = async (method: Method, path: string, input: Input = {}) =>
    readResource(await request(method, path, input), input.include ?? []);
  const page = async (path: string, input: Input = {}) =>
    readPage(await request("GET", path, input), input.include ?? []);
  async function* each(path: string, input: Input = {}): AsyncGenerator {
    const size = (input["pageSize"] as number | undefined) ?? 100;
    for (let after: string | null = ""; after !== null; ) {
      const { data, next }: PageResponse<unknown> = await page(path, {
        ...input,
        page: { after, size },
      });
      yield* data;
      after = next;
    }
  }
  // One implementation serves all paths; `Client` gives each path its own types.
  const client = {
    get: (path: string, input?: Input) => callOne("GET", path, input),
    list: page,
    each,
    post: (path: string, input?: Input) => callOne("POST", path, input),
    patch: (path: string, input?: Input) => callOne("PATCH", path, input),
    delete: async (path: string, input?: Input) =>
      responseInfo(await request("DELETE", path, input)),
    options: async (path: string, input?: Input) =>
      ((await request("OPTIONS", path, input)).document as Metadata).data,
    events: (input?: FeedInput) => followEvents((query) => client.list("/event/", query), input),
    accessToken: () => tokens.get(),
  } as unknown as Client;
  return client;
}

function tokensOf(
  settings: ClientSettings,
  unauthenticated: Transport,
  base: string,
): AccessTokens {
  if ("getAccessToken" in settings) {
    return {
      get: (rejected = null, former = null) => settings.getAccessToken(rejected, former),
    };
  }
  const { login, password } = settings;
  const requestToken = async (path: string, attributes: Readonly<Record<string, string>>) => {
    const { document } = await sendWithRetries(unauthenticated, {
      method: "POST",
      url: `${base}${path}`,
      headers: {},
      body: JSON.stringify({ data: { type: "auth-token", attributes } }),
      // A second login is harmless; the second use of a refresh token ends its session.
      isRepeatable: path === "/token/",
    });
    const { data, meta } = document as { readonly data: AuthToken; readonly meta?: object };
    return { data, meta: { ...meta } };
  };
  return createSession({ login, password }, requestToken, Date.now);
}

function send(
  transport: Transport,
  base: string,
  method: Method | "OPTIONS",
  path: string,
  input: Input,
): Promise<Sent> {
  const route = `${method} ${path}`;
  const filled = buildPath(path, input as Readonly<Record<string, string>>);
  const query = buildQuery(input);
  const isKeyed = keyedRoutes.includes(route);
  const key = isKeyed ? { "idempotency-key": input.idempotencyKey ?? randomKey() } : {};
  return sendWithRetries(transport, {
    method,
    url: `${base}${filled}${query}`,
    headers: { ...key, ...input.headers },
    body: bodyOf(route, input),
    isRepeatable: method !== "POST" || isKeyed,
    signal: input.signal,
    timeoutMs: input.timeoutMs,
    retries: input.retries,
    isResumed: input.isResumed,
    recover: recoverOf(),
  });

  function recoverOf(): Recover | undefined {
    const { signal, timeoutMs } = input;
    const get = (address: string): Promise<Sent> =>
      sendWithRetries(transport, {
        method: "GET",
        url: `${base}${address}`,
        headers: {},
        body: null,
        isRepeatable: true,
        signal,
        timeoutMs,
      });
    const shape = buildQuery({ include: input.include, fields: input.fields });
    if (isKeyed) return recoverByKey(filled, shape, get);
    return method === "DELETE" ? recoverRemoved : undefined;
  }
}

function bodyOf(route: string, { attributes, relationships, ...input }: Input): string | null {
  const type = documentTypes[route];
  if (type === undefined) return null;
  const related = Object.entries(relationships ?? {}).map(([name, one]) => [
    name,
    // Callers can pass a whole resource; only its identifier is sent.
    { data: one === null ? null : { type: one.type, id: one.id } },
  ]);
  const id = route.startsWith("PATCH ") ? { id: String(input["id"]) } : {};
  return JSON.stringify({
    data: {
      type,
      ...id,
      ...(attributes === undefined ? {} : { attributes }),
      ...(related.length === 0 ? {} : { relationships: Object.fromEntries(related) as object }),
    },
  });
}
