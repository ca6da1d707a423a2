import type { JsonObject, JsonValue } from "../../../src/platform/kernel/json.ts";
import { systemClock } from "../../../src/platform/kernel/system-clock.ts";
import type { ApiCheck } from "../../support/api-check.ts";
import type { Login } from "./deployment.ts";

export type Resource = {
  readonly type: string;
  readonly id: string;
  readonly attributes: JsonObject;
  readonly relationships: Readonly<
    Record<string, { readonly data: { readonly id: string } | null }>
  >;
};

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The primary data of a response with one resource. */
  readonly one: Resource;
  /** The primary data of a list. */
  readonly resources: readonly Resource[];
  readonly next: string | null;
  /** Application codes of the errors. */
  readonly codes: readonly string[];
};

export type Client = {
  readonly ask: (
    method: string,
    path: string,
    body?: JsonValue,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Answer>;
  /** Sends a request; fails with the whole response unless it succeeds. */
  readonly get: (path: string) => Promise<Resource>;
  readonly list: (path: string) => Promise<readonly Resource[]>;
  readonly post: (path: string, body?: JsonValue) => Promise<Resource>;
};

const mediaType = "application/vnd.api+json";

/** Sends requests to the apis in turn, and validates every response against JSON:API and the API's own description. */
export function createSender(apis: readonly string[], check: ApiCheck) {
  let count = 0;
  return async (
    method: string,
    path: string,
    token: string | null,
    body?: JsonValue,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Answer> => {
    count += 1;
    const base = apis[count % apis.length] ?? "";
    const response = await fetch(base + path, {
      method,
      headers: {
        accept: mediaType,
        "content-type": mediaType,
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...more,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const headers = Object.fromEntries(response.headers);
    check({ method, url: path }, { status: response.status, headers, body: text });
    return readAnswer(response, text);
  };
}

export type Sender = ReturnType<typeof createSender>;

function readAnswer(response: Response, text: string): Answer {
  const document = (text === "" ? {} : JSON.parse(text)) as {
    readonly data?: unknown;
    readonly errors?: readonly { readonly code: string }[];
    readonly links?: { readonly next?: string | null };
  };
  return {
    status: response.status,
    headers: response.headers,
    text,
    one: document.data as Resource,
    resources: document.data as readonly Resource[],
    next: document.links?.next ?? null,
    codes: document.errors?.map(({ code }) => code) ?? [],
  };
}

/** Logs in; the client stores its token. */
export async function logIn(send: Sender, { login, password }: Login): Promise<Client> {
  const session = await send("POST", "/token/", null, {
    data: { type: "auth-token", attributes: { login, password } },
  });
  const token = session.one.attributes["access"];
  if (typeof token !== "string") throw new Error(`no token: ${session.text}`);
  const ask: Client["ask"] = (method, path, body, headers) =>
    send(method, path, token, body, headers);
  const succeed = async (method: string, path: string, body?: JsonValue): Promise<Answer> => {
    let answer = await ask(method, path, body);
    // Scenarios that run at the same time share one credential's reads per minute: like any client, they wait as long as they are asked to.
    while (method === "GET" && answer.status === 429) {
      await systemClock.sleep(Number(answer.headers.get("retry-after")) * 1_000);
      answer = await ask(method, path, body);
    }
    if (answer.status >= 300)
      throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    return answer;
  };
  return {
    ask,
    get: async (path) => (await succeed("GET", path)).one,
    list: async (path) => (await succeed("GET", path)).resources,
    post: async (path, body) => (await succeed("POST", path, body)).one,
  };
}
