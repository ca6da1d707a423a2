import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { schemaName } from "../../src/http/docs/openapi-schemas.ts";
import { canonicalUrl } from "../../src/http/jsonapi/paths.ts";
import type { JsonObject, JsonValue } from "../../src/platform/kernel/json.ts";

/** A response over HTTP, from a real server or from `inject`. */
export type HttpAnswer = {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
};

/** Throws with every fault when a response violates JSON:API 1.1 or the API's own description. */
export type ApiCheck = (
  request: { readonly method: string; readonly url: string },
  answer: HttpAnswer,
) => void;

const jsonApi = "application/vnd.api+json";
const memberOrder = ["links", "data", "errors", "included", "meta"];

/** A check against one OpenAPI description (`GET /openapi.json`). */
export function createApiCheck(description: JsonObject): ApiCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ ...description, $id: "api" });
  const compiled = new Map<string, ValidateFunction>();
  const validator = (pointer: string): ValidateFunction => {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `api#${pointer}` });
    compiled.set(pointer, known);
    return known;
  };

  return (request, answer) => {
    const faults = [...headerFaults(request, answer)];
    const pathname = canonicalUrl(request.url).split("?", 1)[0] ?? "";
    const path = findPath(object(description["paths"]), pathname);
    if (path === null && answer.status !== 404 && answer.status !== 405)
      faults.push(`${pathname} is not described`);
    if (answer.headers["content-type"] === jsonApi && answer.body !== "") {
      const document = JSON.parse(answer.body) as JsonObject;
      if (request.method !== "OPTIONS" || answer.status >= 400)
        faults.push(...documentFaults(document, request, answer));
      faults.push(...linkageFaults(document, request.url));
      faults.push(...schemaFaults(document, path, request, answer, description, validator));
    }
    if (answer.headers["content-type"] === "application/json" && path !== null)
      faults.push(...plainFaults(path, request, answer, description, validator));
    if (faults.length > 0)
      throw new Error(
        `${request.method} ${request.url} answered ${answer.status}\n- ${faults.join("\n- ")}\n${answer.body}`,
      );
  };
}

function* headerFaults(
  { method }: { readonly method: string },
  { status, headers, body }: HttpAnswer,
): Generator<string> {
  if ((headers["x-request-id"] ?? "") === "") yield "no X-Request-Id";
  if (status >= 400 && headers["content-type"] !== jsonApi)
    yield `Content-Type ${String(headers["content-type"])}`;
  if (headers["content-type"]?.startsWith(jsonApi) === true) {
    if (headers["content-type"] !== jsonApi) yield "a media type parameter";
    if (headers["vary"]?.includes("Accept") !== true) yield "no Vary: Accept";
  }
  if (status === 401 && headers["www-authenticate"] !== 'Bearer realm="api"')
    yield "401 without WWW-Authenticate";
  if (status === 405 && headers["allow"] === undefined) yield "405 without Allow";
  if (status === 429 && !/^\d+$/.test(headers["retry-after"] ?? ""))
    yield "429 without Retry-After";
  if (status === 201 && headers["location"] === undefined) yield "201 without Location";
  if (method === "HEAD" && body !== "") yield "a body for HEAD";
}

/** The rules of JSON:API 1.1 that a schema cannot express. */
function* documentFaults(
  document: JsonObject,
  { url }: { readonly url: string },
  { status, headers }: HttpAnswer,
): Generator<string> {
  const members = Object.keys(document);
  const known = memberOrder.filter((name) => members.includes(name));
  if (members.join() !== known.join()) yield `top-level members ${members.join(", ")}`;
  if (members.includes("data") === members.includes("errors")) yield "data xor errors";
  if (status >= 400 !== members.includes("errors")) yield `errors at ${status}`;
  const asksIncluded = new URL(canonicalUrl(url), "http://any").searchParams.has("include");
  if (status < 400 && asksIncluded !== members.includes("included"))
    yield "included goes with the include parameter";
  for (const error of list(document["errors"]).map(object)) {
    if (error["status"] !== String(status))
      yield `an error of status ${JSON.stringify(error["status"])}`;
    if (error["id"] !== headers["x-request-id"]) yield "an error whose id is not the request's";
  }
  for (const resource of allResources(document)) {
    if (typeof resource["type"] !== "string" || typeof resource["id"] !== "string")
      yield "a resource whose type or id is no string";
    const attributes = Object.keys(object(resource["attributes"]));
    const relationships = Object.keys(object(resource["relationships"]));
    // A wallet's kind is called `type`, by a decision that takes precedence over JSON:API.
    const mayHaveType = resource["type"] === "wallet";
    if (attributes.includes("id") || (attributes.includes("type") && !mayHaveType))
      yield "id or type as attribute";
    for (const name of [...attributes, ...relationships])
      if (!/^[a-zA-Z0-9]([\w-]*[a-zA-Z0-9])?$/.test(name)) yield `the member name ${name}`;
    for (const name of attributes)
      if (relationships.includes(name)) yield `${name} as attribute and relationship`;
  }
  for (const link of Object.values(object(document["links"])))
    if (link !== null && !(typeof link === "string" && URL.canParse(link)))
      yield `the link ${JSON.stringify(link)}`;
}

/** "Full linkage": each included resource once, and reachable from the primary data. */
function* linkageFaults(document: JsonObject, url: string): Generator<string> {
  const included = list(document["included"]).map(object);
  const byName = new Map(included.map((resource) => [nameOf(resource), resource]));
  if (byName.size !== included.length) yield "a resource is included twice";
  const reached = new Set<string>();
  const queue = primaryResources(document);
  for (const resource of queue) {
    if (reached.has(nameOf(resource))) continue;
    reached.add(nameOf(resource));
    for (const relationship of Object.values(object(resource["relationships"]))) {
      const target = object(object(relationship)["data"]);
      queue.push(...[byName.get(nameOf(target))].filter((found) => found !== undefined));
    }
  }
  const isSparse = url.includes("fields");
  for (const name of byName.keys())
    if (!isSparse && !reached.has(name)) yield `${name} is included but not linked`;
}

function* schemaFaults(
  document: JsonObject,
  path: string | null,
  { method, url }: { readonly method: string; readonly url: string },
  { status }: HttpAnswer,
  description: JsonObject,
  validator: (pointer: string) => ValidateFunction,
): Generator<string> {
  const schemas = object(object(description["components"])["schemas"]);
  for (const resource of allResources(document)) {
    const name = schemaName(text(resource["type"]));
    if (schemas[name] === undefined) continue;
    const { properties } = object(object(object(schemas[name])["properties"])["attributes"]);
    for (const attribute of Object.keys(object(resource["attributes"])))
      if (object(properties)[attribute] === undefined)
        yield `${name}.${attribute} is not described`;
  }
  if (path === null || status === 405) return;
  if (!url.includes("fields"))
    for (const resource of primaryResources(document)) {
      const name = schemaName(text(resource["type"]));
      if (schemas[name] === undefined) continue;
      const validate = validator(`/components/schemas/${name}`);
      if (!validate(resource))
        yield* (validate.errors ?? []).map((e) => `${name}${e.instancePath} ${e.message ?? ""}`);
    }
  const verb = method === "HEAD" ? "get" : method.toLowerCase();
  const operation = object(object(object(description["paths"])[path])[verb]);
  const answer = object(object(operation["responses"])[String(status)]);
  if (Object.keys(answer).length === 0) {
    yield `the status ${status} is not described`;
    return;
  }
  const rows = rowsOf(answer, object(object(description["components"])["responses"]));
  for (const { code } of list(document["errors"]).map(object))
    if (!rows.includes(text(code))) yield `the error ${status} ${text(code)} is not described`;
  const pointer =
    typeof answer["$ref"] === "string"
      ? answer["$ref"].slice(1)
      : `/paths/${escapeToken(path)}/${verb}/responses/${status}`;
  const validate = validator(`${pointer}/content/${escapeToken(jsonApi)}/schema`);
  if (validate(document)) return;
  for (const error of validate.errors ?? []) yield `${error.instancePath} ${error.message ?? ""}`;
}

/** A JSON response outside JSON:API, against its route's schema. */
function* plainFaults(
  path: string,
  { method }: { readonly method: string },
  { status, body }: HttpAnswer,
  description: JsonObject,
  validator: (pointer: string) => ValidateFunction,
): Generator<string> {
  const verb = method === "HEAD" ? "get" : method.toLowerCase();
  const pointer = ["paths", path, verb, "responses", String(status), "content", "application/json"];
  let at: JsonObject = description;
  for (const step of pointer) at = object(at[step]);
  if (at["schema"] === undefined || body === "") return;
  const validate = validator(`/${[...pointer, "schema"].map(escapeToken).join("/")}`);
  if (!validate(JSON.parse(body)))
    yield* (validate.errors ?? []).map((e) => `${e.instancePath} ${e.message ?? ""}`);
}

/** Throws with every fault when a callback's body differs from `webhooks` in the description. */
export function createCallbackCheck(description: JsonObject): (body: JsonObject) => void {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ ...description, $id: "api" });
  return (body) => {
    const type = text(object(body["data"])["type"]);
    const pointer = ["webhooks", `${type}Callback`, "post", "requestBody", "content"];
    const schema = [...pointer, "application/json", "schema"].map(escapeToken).join("/");
    const validate = ajv.compile({ $ref: `api#/${schema}` });
    if (validate(body)) return;
    const faults = (validate.errors ?? []).map((e) => `${e.instancePath} ${e.message ?? ""}`);
    throw new Error(`a callback differs from its description\n- ${faults.join("\n- ")}`);
  };
}

/** The codes in the description of an error response. */
function rowsOf(answer: JsonObject, responses: JsonObject): readonly string[] {
  const shared = object(responses[text(answer["$ref"]).split("/").at(-1) ?? ""]);
  const described = text(answer["description"] ?? shared["description"]);
  return described.split("; ").map((row) => row.split(":", 1)[0] ?? "");
}

/** The described path that a concrete path matches, the most literal one first. */
function findPath(paths: JsonObject, pathname: string): string | null {
  const candidates = Object.keys(paths).filter((path) => {
    const pattern = canonicalUrl(path)
      .replaceAll(/\{\w+\}/g, "[^/]+")
      .replaceAll(".", "\\.");
    return new RegExp(`^${pattern}$`).test(pathname);
  });
  return candidates.toSorted((left, right) => parameters(left) - parameters(right))[0] ?? null;
}

function parameters(path: string): number {
  return path.split("{").length;
}

function escapeToken(token: string): string {
  return encodeURIComponent(token.replaceAll("~", "~0").replaceAll("/", "~1"));
}

function primaryResources(document: JsonObject): JsonObject[] {
  const data = document["data"];
  return (Array.isArray(data) ? (data as JsonValue[]) : [data ?? null])
    .map((item) => object(item))
    .filter((item) => Object.keys(item).length > 0);
}

function allResources(document: JsonObject): JsonObject[] {
  return [...primaryResources(document), ...list(document["included"]).map(object)];
}

function nameOf(identifier: JsonObject): string {
  return `${text(identifier["type"])} ${text(identifier["id"])}`;
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

function object(value: JsonValue | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {};
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}
