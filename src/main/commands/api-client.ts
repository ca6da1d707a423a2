import { readFile } from "node:fs/promises";
import { Agent, request } from "undici";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { writeAtomically } from "../../platform/processes/write-atomically.ts";
import { sandboxTokensPath } from "../../sandbox/sandbox-file.ts";

/** A resource object of a response. */
export type ApiResource = {
  readonly type: string;
  readonly id: string;
  readonly attributes: JsonObject;
  readonly relationships?: Readonly<
    Record<string, { readonly data: { readonly type: string; readonly id: string } | null }>
  >;
};

export type ApiDocument = {
  readonly data: ApiResource;
  readonly included?: readonly ApiResource[];
  readonly meta?: JsonObject;
};

/** A page of a list. */
export type ApiPage = Omit<ApiDocument, "data"> & { readonly data: readonly ApiResource[] };

/** The API refused a request: its status, and the details of its errors as the message. */
export class ApiRefused extends Error {
  override readonly name = "ApiRefused";
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export type ApiClient = {
  /** Resolves with a document of one resource. Rejects with `ApiRefused`, or with a plain error when the API does not answer. */
  readonly get: (path: string) => Promise<ApiDocument>;
  readonly list: (path: string) => Promise<ApiPage>;
  /** Sends a document and resolves with the answer; `headers` are added to those of the media type. */
  readonly post: (
    path: string,
    body: JsonObject,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<ApiDocument>;
  readonly close: () => Promise<void>;
};

const mediaType = "application/vnd.api+json";
const timeoutMs = 15_000;

type Sent = {
  readonly token?: string;
  readonly body?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
};

/**
 * Acts with an API credential: with the access token that an earlier command left in the sandbox's folder `home`, or by logging in.
 * Without a folder no token is stored. Rejects with `ApiRefused` when the API refuses the credential.
 */
export async function openApi(
  home: string | null,
  { base_url: baseUrl }: { readonly base_url: string },
  { login, password }: { readonly login: string; readonly password: string },
): Promise<ApiClient> {
  const agent = new Agent({ headersTimeout: timeoutMs, bodyTimeout: timeoutMs });
  const call = <Answer = ApiDocument>(
    method: "GET" | "POST",
    path: string,
    sent: Sent,
  ): Promise<Answer> => answerTo(agent, method, `${baseUrl}${path}`, sent);
  const logIn = async (): Promise<string> => {
    const session = await call("POST", "/token/", {
      body: { data: { type: "auth-token", attributes: { login, password } } },
    });
    const token = session.data.attributes["access"];
    if (typeof token !== "string") throw new Error(`${baseUrl} returned no access token`);
    if (home !== null) await storeToken(home, login, token);
    return token;
  };
  try {
    const kept = home === null ? null : await readStoredToken(home, login);
    let token = kept ?? (await logIn());
    const callAs = async <Answer = ApiDocument>(
      method: "GET" | "POST",
      path: string,
      sent: Sent,
    ): Promise<Answer> => {
      try {
        return await call<Answer>(method, path, { ...sent, token });
      } catch (error) {
        // A stored token may have expired. A request refused for that reason changed nothing and can be repeated.
        if (token !== kept || !(error instanceof ApiRefused) || error.status !== 401) throw error;
        token = await logIn();
        return call<Answer>(method, path, { ...sent, token });
      }
    };
    return {
      get: (path) => callAs("GET", path, {}),
      list: (path) => callAs<ApiPage>("GET", path, {}),
      post: (path, body, headers = {}) => callAs("POST", path, { body, headers }),
      close: () => agent.close(),
    };
  } catch (error) {
    await agent.close();
    throw error;
  }
}

async function answerTo<Answer>(
  agent: Agent,
  method: "GET" | "POST",
  url: string,
  { token, body, headers }: Sent,
): Promise<Answer> {
  const { status, text } = await send(agent, url, {
    method,
    headers: {
      accept: mediaType,
      "content-type": mediaType,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (status >= 300) throw new ApiRefused(status, detailsOf(text, status));
  return JSON.parse(text) as Answer;
}

async function send(
  dispatcher: Agent,
  url: string,
  how: {
    readonly method: "GET" | "POST";
    readonly headers: Record<string, string>;
    readonly body: string | null;
  },
): Promise<{ readonly status: number; readonly text: string }> {
  try {
    const answer = await request(url, { dispatcher, ...how });
    return { status: answer.statusCode, text: await answer.body.text() };
  } catch (error) {
    throw new Error(`${new URL(url).origin} does not answer: ${errorMessage(error)}`, {
      cause: error,
    });
  }
}

type ErrorObject = { readonly detail: string; readonly source?: { readonly pointer?: string } };

/** The error's sentence; after the attribute that it is about if the sentence only says "This". */
function describeError({ detail, source }: ErrorObject): string {
  const attribute = source?.pointer?.split("/").at(-1);
  return attribute !== undefined && detail.startsWith("This ") ? `${attribute}: ${detail}` : detail;
}

function detailsOf(text: string, status: number): string {
  try {
    const { errors } = JSON.parse(text) as { errors: readonly ErrorObject[] };
    return errors.map(describeError).join(" ");
  } catch {
    return `HTTP ${status}`;
  }
}

/*
 * Commands of one sandbox share an access token, because logins are limited to a few per minute and address: ten payments in a
 * row would use up the limit of the programs beside them.
 */

type Tokens = Readonly<Record<string, string>>;

/** The stored token of a login; null without one. It may have expired. */
async function readStoredToken(home: string, login: string): Promise<string | null> {
  return (await readTokens(home))[login] ?? null;
}

/** Stores an access token in the sandbox's folder (mode 0600) for the next command. */
async function storeToken(home: string, login: string, token: string): Promise<void> {
  const tokens = { ...(await readTokens(home)), [login]: token };
  await writeAtomically(sandboxTokensPath(home), JSON.stringify(tokens));
}

/** Empty when the file is missing or has another format. */
async function readTokens(home: string): Promise<Tokens> {
  try {
    const kept = JSON.parse(await readFile(sandboxTokensPath(home), "utf8")) as unknown;
    if (typeof kept !== "object" || kept === null) return {};
    return Object.fromEntries(
      Object.entries(kept).filter(
        (entry): entry is [string, string] => typeof entry[1] === "string",
      ),
    );
  } catch {
    return {};
  }
}
