import { defaultPeopleSettings, type PeopleContext } from "../../src/accounts/people/context.ts";
import type { Route } from "../../src/http/server/route.ts";
import { createServer, type Server } from "../../src/http/server/server.ts";
import type { Database } from "../../src/platform/db/database.ts";
import type { Clock } from "../../src/platform/kernel/clock.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import { type ApiCheck, createApiCheck } from "./api-check.ts";
import { type ApiResponse, seen } from "./api-server.ts";
import { apiProcess, arrangeMember, type TestMember } from "./test-accounts.ts";

/** The origin of these tests' pages. */
export const peopleOrigin = "http://sluice.test";

export type PersonRequest = {
  readonly as?: string | null;
  readonly cookie?: string;
  readonly ip?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Becomes the document's primary data. */
  readonly data?: JsonObject;
};

export type PeopleApi = {
  readonly server: Server;
  readonly context: PeopleContext;
  /** Sends a request and checks the response against JSON:API and the API's own description. */
  readonly ask: (method: string, url: string, request?: PersonRequest) => Promise<ApiResponse>;
  readonly arrangeMember: (options?: Parameters<typeof arrangeMember>[1]) => Promise<TestMember>;
  /** Signs in at /session/, a member with its person's login: the access token and the cookie. */
  readonly signIn: (who: Login & { readonly dashboard?: Login }) => Promise<Browser>;
};

type Login = { readonly login: string; readonly password: string };

/** What a browser has after signing in. */
export type Browser = { readonly access: string; readonly cookie: string };

/** The HTTP layer with these routes over the real accounts, without a socket. */
export function peopleApi(
  db: Database,
  clock: Clock,
  make: (context: PeopleContext) => readonly Route[],
  origin: string = peopleOrigin,
): PeopleApi {
  const process = apiProcess(db, clock);
  const context: PeopleContext = {
    ...process,
    tokenSettings: { ...process.tokenSettings, issuer: origin },
    people: {
      ...defaultPeopleSettings,
      hashing: process.passwordHashing,
      approverMinAgeSeconds: 0,
      isSandbox: true,
    },
  };
  const unlimited = { isAllowed: true, limit: 1e9, remaining: 1e9 };
  const server = createServer(
    {
      baseUrl: origin,
      clock,
      random: context.random,
      logger: context.logger,
      authenticate: process.authenticate,
      throttle: () => Promise.resolve({ ...unlimited, windowSeconds: 60, resetSeconds: 60 }),
      loaders: [],
    },
    make(context),
  );
  let check: ApiCheck | null = null;
  const ask: PeopleApi["ask"] = async (method, url, request = {}) => {
    check ??= createApiCheck((await server.inject("/openapi.json")).json());
    const answer = await server.inject({
      method: method as "GET",
      url,
      remoteAddress: request.ip ?? "192.0.2.1",
      headers: {
        "content-type": "application/vnd.api+json",
        "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0",
        ...(request.as == null ? {} : { authorization: `Bearer ${request.as}` }),
        ...(request.cookie === undefined ? {} : { cookie: request.cookie }),
        ...request.headers,
      },
      ...(request.data === undefined ? {} : { payload: JSON.stringify({ data: request.data }) }),
    });
    const headers = Object.fromEntries(
      Object.entries(answer.headers).map(([name, value]) => [name, String(value)]),
    );
    const received = { status: answer.statusCode, headers, body: answer.body };
    check({ method, url }, received);
    return seen(received);
  };
  return {
    server,
    context,
    ask,
    arrangeMember: (options) => arrangeMember(context, options),
    signIn: async ({ dashboard, ...program }) => {
      const { login, password } = dashboard ?? program;
      const answer = await ask("POST", "/session/", { data: signInData(login, password) });
      if (answer.status !== 200) throw new Error(answer.text);
      return browserOf(answer);
    },
  };
}

/** Sends a request as a signed-in person, with attributes where a document is sent. */
export function actAs(
  api: PeopleApi,
  browser: Pick<Browser, "access">,
  method: string,
  url: string,
  data?: { readonly type: string; readonly attributes?: JsonObject; readonly member?: string },
): Promise<ApiResponse> {
  if (data === undefined) return api.ask(method, url, { as: browser.access });
  const { type, attributes = {}, member } = data;
  const related =
    member === undefined
      ? {}
      : { relationships: { member: { data: { type: "member", id: member } } } };
  return api.ask(method, url, { as: browser.access, data: { type, attributes, ...related } });
}

/** The account's audit entries, except those of the command line, which created the account. */
export async function auditedActions(
  database: {
    readonly sql: <Row>(text: string, values: readonly string[]) => Promise<readonly Row[]>;
  },
  accountId: string,
): Promise<readonly string[]> {
  const rows = await database.sql<{ action: string }>(
    "select action from audit_entry where account_id = $1 and member_id is not null order by seq",
    [accountId],
  );
  return rows.map(({ action }) => action);
}

export function signInData(login: string, password: string): JsonObject {
  return { type: "session-token", attributes: { login, password } };
}

export function browserOf(answer: ApiResponse): Browser {
  const cookie = answer.headers["set-cookie"]?.split(";", 1)[0] ?? "";
  return { access: answer.one.attributes["access"] as string, cookie };
}

/** Status, then code and place of each error. */
export function outcome({ status, errors }: ApiResponse): string {
  if (status < 400) return String(status);
  const each = errors.map(({ code, source }) => [code, ...Object.values(source ?? {})].join(" "));
  return [String(status), ...each].join(" ");
}
