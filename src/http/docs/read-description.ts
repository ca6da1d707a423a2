import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";

/** The parts of `/openapi.json` that the reference shows. */
export type Reference = {
  readonly title: string;
  readonly description: string;
  readonly baseUrl: string;
  readonly components: JsonObject;
  readonly groups: readonly Group[];
  readonly errorRows: readonly ErrorRow[];
};

/** The operations with the same first path segment, such as `/deposit/...`. */
export type Group = { readonly name: string; readonly operations: readonly Operation[] };

export type Operation = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly isPublic: boolean;
  readonly isKeyed: boolean;
  readonly parameters: readonly Parameter[];
  /** Schema of the request document, or null. */
  readonly request: JsonObject | null;
  readonly status: string;
  /** Schema of the response document, or null. */
  readonly answer: JsonObject | null;
  /** Name of the resource's schema, and whether the response is a list; null outside JSON:API. */
  readonly resource: { readonly name: string; readonly isPage: boolean } | null;
  readonly errors: readonly ErrorRow[];
};

export type Parameter = {
  readonly name: string;
  readonly place: string;
  readonly isRequired: boolean;
  readonly schema: JsonObject;
  readonly description: string;
};

export type ErrorRow = { readonly status: string; readonly code: string; readonly title: string };

/** Reads an OpenAPI description into the structure that the pages are rendered from. */
export function readDescription(description: JsonObject): Reference {
  const info = object(description["info"]);
  const components = object(description["components"]);
  const [server] = list(description["servers"]).map(object);
  const operations = Object.entries(object(description["paths"])).flatMap(([path, item]) =>
    Object.entries(object(item)).flatMap(([method, operation]) =>
      method === "options" ? [] : [readOperation(path, method, object(operation), components)],
    ),
  );
  const groups = Map.groupBy(operations, groupName);
  return {
    title: text(info["title"]),
    description: text(info["description"]),
    baseUrl: text(server?.["url"]),
    components,
    groups: [...groups].map(([name, members]) => ({ name, operations: members })),
    errorRows: Object.entries(object(components["responses"])).flatMap(([name, response]) =>
      rowsOf(name.replace("Error", ""), object(response)),
    ),
  };
}

function groupName({ path, resource }: Operation): string {
  return resource === null && !path.includes("{") ? "service" : (path.split("/")[1] ?? "");
}

function readOperation(
  path: string,
  method: string,
  operation: JsonObject,
  components: JsonObject,
): Operation {
  const responses = Object.entries(object(operation["responses"]));
  const [status, success] = responses.find(([code]) => code.startsWith("2")) ?? ["200", {}];
  const answer = contentSchema(object(success));
  const parameters = list(operation["parameters"]).map(object).map(readParameter);
  return {
    method: method.toUpperCase(),
    path,
    status,
    parameters,
    id: text(operation["operationId"]),
    summary: text(operation["summary"]),
    description: text(operation["description"]),
    isPublic: list(operation["security"]).length === 0,
    isKeyed: parameters.some(({ place, name }) => place === "header" && name === "idempotency-key"),
    request: contentSchema(object(operation["requestBody"])),
    answer,
    resource: resourceOf(answer),
    errors: responses
      .filter(([code]) => Number(code) >= 400)
      .flatMap(([code, response]) =>
        rowsOf(code, { ...resolve(object(response), components), ...object(response) }),
      ),
  };
}

function readParameter(parameter: JsonObject): Parameter {
  const { description, ...schema } = object(parameter["schema"]);
  return {
    name: text(parameter["name"]),
    place: text(parameter["in"]),
    isRequired: parameter["required"] === true,
    schema,
    description: text(description ?? parameter["description"]),
  };
}

/** `1007: Invalid value; 5001: No permission to view` */
function rowsOf(status: string, response: JsonObject): ErrorRow[] {
  return text(response["description"])
    .split("; ")
    .flatMap((row) => {
      const [, code, title] = /^([^:]+): (.+)$/.exec(row) ?? [];
      return code === undefined || title === undefined ? [] : [{ status, code, title }];
    });
}

function resourceOf(answer: JsonObject | null): Operation["resource"] {
  const data = object(object(answer?.["properties"])["data"]);
  const isPage = data["type"] === "array";
  // Full or sparse (`fields[TYPE]`) resource.
  const [whole] = list((isPage ? object(data["items"]) : data)["anyOf"]).map(object);
  const target = whole?.["$ref"];
  return typeof target === "string" ? { name: target.split("/").at(-1) ?? "", isPage } : null;
}

function contentSchema(holder: JsonObject): JsonObject | null {
  const [content = null] = Object.values(object(holder["content"]));
  const schema = object(content)["schema"];
  return schema === undefined ? null : object(schema);
}

/** Follows a `$ref` into the components. */
export function resolve(value: JsonObject, components: JsonObject): JsonObject {
  const target = value["$ref"];
  if (typeof target !== "string") return value;
  const [group = "", name = ""] = target.replace("#/components/", "").split("/");
  return object(object(components[group])[name]);
}

/** Returns the value if it is an object, otherwise an empty object. */
export function object(value: JsonValue | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {};
}

/** Returns the value if it is an array, otherwise an empty array. */
export function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

/** Returns the value if it is a string, otherwise an empty string. */
export function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
