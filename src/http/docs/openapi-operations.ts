import type { JsonObject } from "../../platform/kernel/json.ts";
import { type RejectionName, rejections } from "../../platform/kernel/rejection.ts";
import {
  type ResourceDefinition,
  sortableFields,
} from "../../platform/resources/define-resource.ts";
import type { FilterDefinition } from "../../platform/resources/filters.ts";
import { mediaType } from "../server/negotiate.ts";
import type { PlainRoute } from "../server/plain-route.ts";
import type { ApiRoute } from "../server/route.ts";
import { describedOptionsRows, describedRows } from "./described-rows.ts";
import { documentSchema, reference, schemaName, sparseName } from "./openapi-schemas.ts";

/** The operation of a JSON:API route. `includable`: the paths of its `include`; `types`: those of `fields[TYPE]`. */
export function apiOperation(
  route: ApiRoute,
  includable: readonly string[],
  types: readonly string[],
): JsonObject {
  return {
    operationId: operationId(route),
    summary: route.summary,
    ...(route.description === "" ? {} : { description: route.description }),
    tags: [route.resource.type],
    security: route.isPublic ? [] : [{ token: [] }],
    parameters: [...parametersOf(route, includable, types)],
    ...(route.document === null
      ? {}
      : {
          requestBody: {
            required: true,
            content: { [mediaType]: { schema: documentSchema(route.document) } },
          },
        }),
    responses: {
      [String(route.status)]: success(route, route.status),
      ...(route.repeats ? { "200": success(route, 200) } : {}),
      ...errorResponses(describedRows(route)),
    },
  };
}

/** The `OPTIONS` operation of a path. */
export function optionsOperation(path: string, routes: readonly ApiRoute[]): JsonObject {
  const isPublic = routes.every((route) => route.isPublic);
  return {
    operationId: `describe${schemaName(path.replaceAll(/[^a-z]+/gi, " ").trim())}`.replaceAll(
      " ",
      "",
    ),
    summary: "Describe this path",
    tags: [...new Set(routes.map((route) => route.resource.type))],
    security: isPublic ? [] : [{ token: [] }],
    parameters: pathParameters(path),
    responses: {
      "200": {
        description: "Media types, methods, filters and writable fields.",
        headers: answerHeaders,
        content: { [mediaType]: { schema: reference("Metadata") } },
      },
      ...errorResponses(describedOptionsRows(isPublic)),
    },
  };
}

/** The operation of a route outside JSON:API. */
export function plainOperation(route: PlainRoute): JsonObject {
  const { described } = route;
  const content = (type: string, schema: JsonObject) => ({ content: { [type]: { schema } } });
  return {
    operationId: operationId(route),
    summary: route.summary,
    ...(described === undefined ? {} : { description: described.description }),
    tags: [described?.tag ?? "service"],
    security: [],
    parameters: pathParameters(route.path),
    ...(described?.body === undefined
      ? {}
      : { requestBody: { required: true, ...content("application/json", described.body) } }),
    responses: {
      "200": {
        description: route.summary,
        ...(described === undefined ? {} : content(described.contentType, described.answer)),
      },
      ...errorResponses(new Set<RejectionName>(["internal", ...(described?.rows ?? [])])),
    },
  };
}

/** The summary in camel case: `Change a deposit's label` becomes `changeADepositLabel`. */
function operationId(route: { readonly summary: string }): string {
  const name = schemaName(
    route.summary
      .toLowerCase()
      .replaceAll(/'s\b/g, "")
      .replaceAll(/[^a-z0-9]+/g, "-"),
  );
  return name.charAt(0).toLowerCase() + name.slice(1);
}

const answerHeaders: JsonObject = {
  "X-Request-Id": { $ref: "#/components/headers/RequestId" },
  "RateLimit-Policy": { $ref: "#/components/headers/RateLimitPolicy" },
  RateLimit: { $ref: "#/components/headers/RateLimit" },
};

function success(route: ApiRoute, status: number): JsonObject {
  if (route.handle.answers === "nothing")
    return { description: "Done, without a document.", headers: answerHeaders };
  const { type } = route.resource;
  const resource = { anyOf: [reference(schemaName(type)), reference(sparseName(type))] };
  const included = { type: "array", items: reference("Resource") };
  const isPage = route.handle.answers === "page";
  const schema = isPage
    ? {
        type: "object",
        required: ["links", "data", "meta"],
        properties: {
          links: reference("PageLinks"),
          data: { type: "array", items: resource },
          included,
          meta: reference("PageMeta"),
        },
      }
    : {
        type: "object",
        required: ["data"],
        properties: { data: resource, included, meta: { type: "object" } },
      };
  const location = status === 201 ? { Location: { $ref: "#/components/headers/Location" } } : {};
  return {
    description: describeSuccess(route, status),
    headers: { ...answerHeaders, ...location },
    content: { [mediaType]: { schema } },
  };
}

function describeSuccess(route: ApiRoute, status: number): string {
  if (route.handle.answers === "page") return "A page of the list.";
  return status === route.status
    ? "The resource."
    : "The resource that an earlier request with the same idempotency key created.";
}

/** One response per status of these rows of the error table, which its description lists. */
function errorResponses(names: ReadonlySet<RejectionName>): JsonObject {
  const rows = Object.entries(rejections)
    .filter(([name]) => names.has(name as RejectionName))
    .map(([, row]) => row);
  return Object.fromEntries(
    [...Map.groupBy(rows, ({ status }) => status)].map(([status, group]) => [
      String(status),
      {
        $ref: `#/components/responses/Error${status}`,
        description: group.map(({ code, title }) => `${code}: ${title}`).join("; "),
      },
    ]),
  );
}

function* parametersOf(
  route: ApiRoute,
  includable: readonly string[],
  types: readonly string[],
): Generator<JsonObject> {
  yield* pathParameters(route.path);
  for (const header of route.requestHeaders)
    yield { ...header, in: "header", schema: { type: "string" } };
  for (const [name, { choices, description }] of Object.entries(route.queryParameters))
    yield query(name, { type: "string", enum: choices, description });
  if (includable.length > 0)
    yield query("include", {
      type: "string",
      description: `Comma-separated relationships: ${includable.join(", ")}.`,
    });
  if (route.handle.answers === "nothing") return;
  for (const type of types)
    yield query(`fields[${type}]`, {
      type: "string",
      description: `Comma-separated attributes and relationships of each ${type} to return; the others are omitted.`,
    });
  if (route.handle.answers === "page") yield* listParameters(route.resource);
}

function pathParameters(path: string): JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function* listParameters(resource: ResourceDefinition): Generator<JsonObject> {
  const fields = ["id", ...sortableFields(resource)].join(", ");
  const sort = {
    type: "string",
    description: `Comma-separated ${fields}; a leading minus sign reverses the order. Default ${resource.defaultSort}.`,
  };
  yield query("sort", sort);
  yield query("ordering", { ...sort, description: "Alias of sort." });
  yield query("page[number]", { type: "string", description: "From 1, or `last`." });
  yield query("page[size]", { type: "integer", minimum: 1, maximum: 100, default: 10 });
  yield query("page[after]", {
    type: "string",
    description:
      "Cursor pagination, equally fast at any depth: empty for the first page, then follow links.next.",
  });
  for (const [name, filter] of Object.entries(resource.filters))
    yield query(`filter[${name}]`, filterSchema(filter));
}

function filterSchema(filter: FilterDefinition): JsonObject {
  const lookup = filter.lookup === "exact" ? "Equal" : "Contains this text, ignoring case";
  const choices = filter.choices ?? [];
  const meanings = choices.map(({ value, name }) => `${value} ${name}`).join(", ");
  return {
    type: "string",
    description: [lookup, meanings].filter((part) => part !== "").join(": "),
    ...(filter.regexp === undefined ? {} : { pattern: filter.regexp }),
    ...(filter.maxLength === undefined ? {} : { maxLength: filter.maxLength }),
    ...(choices.length === 0 ? {} : { enum: choices.map((choice) => String(choice.value)) }),
  };
}

function query(name: string, schema: JsonObject): JsonObject {
  return { name, in: "query", required: false, schema };
}
