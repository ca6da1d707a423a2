import { logIn } from "../../src/accounts/tokens/log-in.ts";
import type { SessionContext } from "../../src/accounts/tokens/session-context.ts";
import { createThrottle, type ThrottleLimits } from "../../src/accounts/tokens/throttle.ts";
import type { Loader } from "../../src/http/jsonapi/compose-document.ts";
import type { Route } from "../../src/http/server/route.ts";
import { createServer, type Server } from "../../src/http/server/server.ts";
import type { Database } from "../../src/platform/db/database.ts";
import type { Clock } from "../../src/platform/kernel/clock.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import { apiProcess } from "./test-accounts.ts";

/** Generous limits, so that only throttling tests reach them. */
const openLimits: ThrottleLimits = {
  read: 1_000_000,
  create: 1_000_000,
  calculate: 1_000_000,
  token: 1_000_000,
  page: 1_000_000,
  page_action: 1_000_000,
  payment_link: 1_000_000,
};

export type ApiAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Body;
};

/** Typed as loosely as a client sees it; each test states what it expects. */
type Body = {
  readonly data: ResourceLike & readonly ResourceLike[];
  readonly included: readonly ResourceLike[];
  readonly meta: Readonly<Record<string, unknown>>;
  readonly links: Readonly<Record<string, string | null>>;
  readonly errors: readonly {
    readonly status: string;
    readonly code: string;
    readonly detail: string;
    readonly source?: JsonObject;
  }[];
};

type ResourceLike = {
  readonly type: string;
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships: Readonly<Record<string, unknown>>;
};

export type AuthenticatedApi = {
  readonly server: Server;
  readonly context: SessionContext;
  /** A request with a token (null if there is none); `data` becomes the body's primary data. */
  readonly send: (
    token: string | null,
    method: "GET" | "POST" | "PATCH" | "OPTIONS",
    url: string,
    data?: JsonObject,
  ) => Promise<ApiAnswer>;
  /** An access token for a credential. */
  readonly tokenOf: (credential: {
    readonly login: string;
    readonly password: string;
  }) => Promise<string>;
};

/** The HTTP layer over the real accounts, without a socket. */
export function authenticatedApi(
  db: Database,
  clock: Clock,
  make: (context: SessionContext) => {
    readonly routes: readonly Route[];
    readonly loaders?: readonly Loader[];
  },
  limits: ThrottleLimits = openLimits,
): AuthenticatedApi {
  const context = apiProcess(db, clock);
  const { routes, loaders } = make(context);
  const server = createServer(
    {
      baseUrl: "http://sluice.test",
      clock,
      random: context.random,
      logger: context.logger,
      authenticate: context.authenticate,
      throttle: createThrottle(context, limits),
      loaders: loaders ?? [],
    },
    routes,
  );
  return {
    server,
    context,
    send: async (token, method, url, data) => {
      const answer = await server.inject({
        method,
        url,
        headers: {
          "content-type": "application/vnd.api+json",
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        },
        ...(data === undefined ? {} : { payload: JSON.stringify({ data }) }),
      });
      const body = answer.json<Body>();
      return { status: answer.statusCode, headers: answer.headers, body };
    },
    tokenOf: async (credential) => (await logIn(context, credential, "127.0.0.1")).tokens.access,
  };
}
