import type { Principal } from "../../src/accounts/principal.ts";
import type { Loader } from "../../src/http/jsonapi/compose-document.ts";
import type { ThrottleBudget } from "../../src/http/server/request-context.ts";
import type { Route } from "../../src/http/server/route.ts";
import { createServer, type Server } from "../../src/http/server/server.ts";
import type { ServerOptions } from "../../src/http/server/server-options.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { Rejected, rejection } from "../../src/platform/kernel/rejection.ts";
import type { ToOne } from "../../src/platform/kernel/resource-object.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { type ApiCheck, createApiCheck, type HttpAnswer } from "./api-check.ts";

export type ApiResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The parsed body; empty for an empty body and for one that is not JSON. */
  readonly document: JsonObject;
  /** The document's members, loosely typed: each test knows which are present. */
  readonly one: SeenResource;
  readonly resources: readonly SeenResource[];
  readonly included: readonly SeenResource[];
  readonly errors: readonly SeenError[];
  readonly links: {
    readonly first: string;
    readonly last?: string;
    readonly next: string | null;
    readonly prev?: string | null;
  };
  readonly pagination: { readonly page: number; readonly pages: number; readonly count: number };
};

export type SeenResource = {
  readonly type: string;
  readonly id: string;
  readonly attributes: JsonObject;
  readonly relationships: Readonly<Record<string, ToOne>>;
};

export type SeenError = {
  readonly status: string;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly source?: {
    readonly pointer?: string;
    readonly parameter?: string;
    readonly header?: string;
  };
  readonly meta?: JsonObject;
};

export type AskOptions = {
  /** Sent as JSON; a string or bytes are sent unchanged. */
  readonly body?: JsonObject | string | Uint8Array;
  /** Override the default headers; undefined omits one. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** The caller; null for an anonymous one. Default: the owner of account 1. */
  readonly as?: Principal | null;
};

export type TestApi = {
  readonly server: Server;
  /** Sends a request and checks every response against JSON:API and the API's own description. */
  readonly ask: (method: string, url: string, options?: AskOptions) => Promise<ApiResponse>;
};

export const owner: Principal = {
  accountId: "1",
  memberId: "1",
  credentialId: "1",
  role: "owner",
  accountIsReady: true,
  wallets: "all",
};

/** Another member of the owner's account, who sees only wallet 1 and pays from none. */
export const clerk: Principal = {
  ...owner,
  memberId: "2",
  wallets: new Map([["1", { mayPay: false }]]),
};

/** A third member, who sees everything and changes nothing. */
export const reader: Principal = { ...owner, memberId: "3", role: "read_only" };

/** The owner of another account. */
export const stranger: Principal = { ...owner, accountId: "2", memberId: "9" };

/** The real HTTP server with these routes; the test names the caller. */
export function apiServer(
  routes: readonly Route[],
  options: Partial<ServerOptions> & { readonly loaders?: readonly Loader[] } = {},
): TestApi {
  const principals = new Map<string, Principal>();
  const server = createServer(
    {
      baseUrl: "http://pay.example",
      clock: systemClock,
      random: systemRandom,
      logger: silentLogger,
      authenticate: ({ authorization }) => {
        const principal = principals.get(authorization ?? "");
        return principal === undefined
          ? Promise.reject(new Rejected(rejection("unauthenticated", "Who are you?")))
          : Promise.resolve(principal);
      },
      throttle: unlimited,
      loaders: [],
      ...options,
    },
    routes,
  );
  let check: ApiCheck | null = null;
  const checked = async (): Promise<ApiCheck> => {
    const description = await server.inject("/openapi.json");
    return createApiCheck(description.json());
  };

  return {
    server,
    ask: async (method, url, { body, headers, as = owner } = {}) => {
      const token =
        as === null ? undefined : `Bearer ${JSON.stringify([as.accountId, as.memberId])}`;
      if (token !== undefined && as !== null) principals.set(token, as);
      const sent = {
        authorization: token,
        "content-type": "application/vnd.api+json",
        ...headers,
      };
      const answer = await server.inject({
        method: method as "GET",
        url,
        headers: Object.fromEntries(
          Object.entries(sent).filter(([, value]) => value !== undefined),
        ) as Record<string, string>,
        ...(body === undefined
          ? {}
          : { payload: body instanceof Uint8Array ? Buffer.from(body) : body }),
      });
      const plain = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
      const received = {
        status: answer.statusCode,
        headers: Object.fromEntries(plain) as Record<string, string | undefined>,
        body: answer.body,
      };
      check ??= await checked();
      check({ method, url }, received);
      return seen(received);
    },
  };
}

/** A response, parsed for tests. */
export function seen(answer: HttpAnswer): ApiResponse {
  const isJson = answer.headers["content-type"]?.includes("json") === true && answer.body !== "";
  const document = (isJson ? JSON.parse(answer.body) : {}) as JsonObject;
  const { data, included, errors, links, meta } = document as Record<string, unknown>;
  return {
    status: answer.status,
    headers: answer.headers,
    text: answer.body,
    document,
    one: data as SeenResource,
    resources: data as readonly SeenResource[],
    included: included as readonly SeenResource[],
    errors: errors as readonly SeenError[],
    links: links as ApiResponse["links"],
    pagination: (meta as { pagination: ApiResponse["pagination"] } | undefined)
      ?.pagination as ApiResponse["pagination"],
  };
}

function unlimited({ budget }: { readonly budget: ThrottleBudget }) {
  const limit = budget === "none" ? 0 : 1_000_000;
  return Promise.resolve({
    isAllowed: true,
    limit,
    remaining: limit,
    windowSeconds: 60,
    resetSeconds: 60,
  });
}
