import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Example } from "../../src/http/docs/example.ts";
import {
  list,
  type Operation,
  object,
  readDescription,
  text,
} from "../../src/http/docs/read-description.ts";
import type { JsonObject, JsonValue } from "../../src/platform/kernel/json.ts";
import { hideSecrets, type Names } from "./hide-secrets.ts";

export type RecordedResponse = {
  readonly status: number;
  readonly document: JsonObject;
  /** Of the response's single resource. */
  readonly id: string;
  readonly attributes: JsonObject;
  /** The cookies that a browser would send afterwards. */
  readonly cookie: string;
};

export type Request = {
  /** An access token. */
  readonly as?: string | null;
  readonly body?: JsonObject | null;
  readonly cookie?: string;
  /** Sent with an idempotency key, as `ask` does. */
  readonly isKeyed?: boolean;
};

export type Recorder = {
  readonly operations: readonly Operation[];
  readonly examples: Readonly<Record<string, Example>>;
  /** Sends an operation, named like `GET /deposit/{id}/`, and records its first exchange that was not refused. */
  readonly ask: (route: string, path: string, request?: Request) => Promise<RecordedResponse>;
  /** Sends without recording. */
  readonly peek: (method: string, path: string, request?: Request) => Promise<RecordedResponse>;
  /** Repeats until the response is as expected, for about two minutes at most. */
  readonly until: (
    path: string,
    as: string,
    isComplete: (response: RecordedResponse) => boolean,
  ) => Promise<RecordedResponse>;
  /** Records the responses of routes that need no token and are outside JSON:API. */
  readonly recordPlain: (path: string) => Promise<void>;
};

/** Records exchanges with the service at `base`, without secrets and under other `names`. */
export async function createRecorder(base: string, names: Names): Promise<Recorder> {
  const description = (await (await fetch(`${base}/openapi.json`)).json()) as JsonObject;
  const operations = readDescription(description).groups.flatMap((group) => group.operations);
  const examples: Record<string, Example> = {};
  const find = (route: string): Operation => {
    const found = operations.find(({ method, path }) => `${method} ${path}` === route);
    if (found === undefined) throw new Error(`there is no operation ${route}`);
    return found;
  };
  const peek: Recorder["peek"] = (method, path, request = {}) => send(base, method, path, request);
  return {
    ...{ operations, examples, peek },
    ask: async (route, path, request = {}) => {
      const { id, method, isKeyed } = find(route);
      const response = await send(base, method, path, { isKeyed, ...request });
      const { status, document } = response;
      if (status >= 400) console.error(`${route}: ${status} ${JSON.stringify(document)}`);
      else if (examples[id] === undefined) {
        const [plain = ""] = path.split("?");
        examples[id] = hideSecrets(
          { path: plain, request: request.body ?? null, answer: status === 204 ? null : document },
          names,
        );
      }
      return response;
    },
    until: async (path, as, isComplete) => {
      for (let time = 0; time < 240; time += 1) {
        const response = await peek("GET", path, { as });
        if (response.status >= 400)
          throw new Error(`${path}: ${JSON.stringify(response.document)}`);
        if (isComplete(response)) return response;
        await sleep(500);
      }
      throw new Error(`${path} did not reach the expected state`);
    },
    recordPlain: async (path) => {
      const body = await (await fetch(`${base}${path}`)).text();
      const answer = body.startsWith("{") ? (JSON.parse(body) as JsonValue) : body;
      examples[find(`GET ${path}`).id] = hideSecrets({ path, request: null, answer }, names);
    },
  };
}

async function send(
  base: string,
  method: string,
  path: string,
  { as = null, body = null, cookie = "", isKeyed = false }: Request,
): Promise<RecordedResponse> {
  const response = await fetch(`${base}${path}`, {
    method,
    headers: {
      "user-agent": browser,
      ...(as === null ? {} : { authorization: `Bearer ${as}` }),
      ...(body === null ? {} : { "content-type": "application/vnd.api+json" }),
      ...(cookie === "" ? {} : { cookie }),
      ...(isKeyed ? { "idempotency-key": randomUUID() } : {}),
    },
    ...(body === null ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await response.text();
  const document = (answer === "" ? {} : JSON.parse(answer)) as JsonObject;
  const data = object(document["data"]);
  return {
    ...{ status: response.status, document },
    ...{ id: text(data["id"]), attributes: object(data["attributes"]) },
    cookie: (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "",
  };
}

/** The user agent that the list of open sessions shows. */
const browser =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

/** A document of a type, with what the operation needs. */
export function documentOf(
  type: string,
  attributes: JsonObject = {},
  relationships: Readonly<Record<string, readonly [type: string, id: string]>> = {},
  id?: string,
): JsonObject {
  const related = Object.entries(relationships).map(([name, [of, one]]) => [
    name,
    { data: { type: of, id: one } },
  ]);
  return {
    data: {
      type,
      ...(id === undefined ? {} : { id }),
      ...(Object.keys(attributes).length === 0 ? {} : { attributes }),
      ...(related.length === 0 ? {} : { relationships: Object.fromEntries(related) as JsonObject }),
    },
  };
}

/** The id of the first resource of a list. */
export function firstId({ document }: Pick<RecordedResponse, "document">): string {
  return text(object(list(document["data"])[0])["id"]);
}
