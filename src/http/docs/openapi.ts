import { assert } from "../../platform/kernel/assert.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { rejections } from "../../platform/kernel/rejection.ts";
import type { ResourceDefinition } from "../../platform/resources/define-resource.ts";
import { isIncludable, type Loaders } from "../jsonapi/compose-document.ts";
import { mediaType } from "../server/negotiate.ts";
import type { ApiRoute, Route } from "../server/route.ts";
import { apiOperation, optionsOperation, plainOperation } from "./openapi-operations.ts";
import {
  errorDocumentSchema,
  metadataSchema,
  reference,
  resourceSchema,
  schemaName,
  sparseName,
  sparseSchema,
} from "./openapi-schemas.ts";

/** The OpenAPI 3.1 description of these routes, from the same records that serve them. */
export function openApi(
  routes: readonly Route[],
  loaders: Loaders,
  baseUrl: string,
  webhooks: JsonObject | null,
): JsonObject {
  const paths = Object.fromEntries(
    [...Map.groupBy(routes, (route) => route.path)].flatMap(([path, group]) => {
      const item = pathItem(path, group, loaders);
      return Object.keys(item).length === 0 ? [] : [[path, item]];
    }),
  );
  assertUniqueOperations(paths);
  return {
    openapi: "3.1.0",
    info: {
      title: "Sluice",
      version: "1.0.0",
      description:
        "Crypto payments over JSON:API 1.1. Paths work with or without a trailing slash.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: baseUrl }],
    security: [{ token: [] }],
    paths,
    ...(webhooks === null ? {} : { webhooks }),
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
      schemas: { ...sharedSchemas, ...resourceSchemas(routes, loaders) },
      responses: errorResponses(),
      headers: sharedHeaders,
    },
  };
}

function pathItem(path: string, routes: readonly Route[], loaders: Loaders): JsonObject {
  const api = routes.filter((route) => route.kind === "api");
  const operations = routes.flatMap((route): [string, JsonObject][] => {
    if (route.kind === "plain" && route.isHidden === true) return [];
    const operation =
      route.kind === "api"
        ? apiOperation(route, includable(route, loaders), sparseTypes(route, loaders))
        : plainOperation(route);
    return [[route.method.toLowerCase(), operation]];
  });
  const described = api.length === 0 ? [] : [["options", optionsOperation(path, api)] as const];
  return Object.fromEntries([...operations, ...described]);
}

function includable({ resource, isPublic }: ApiRoute, loaders: Loaders): string[] {
  if (isPublic) return [];
  return Object.keys(resource.relationships).filter((name) =>
    isIncludable(loaders, resource, name),
  );
}

/** The types in a response that `fields[TYPE]` can make sparse: the route's own and those of `include`. */
function sparseTypes(route: ApiRoute, loaders: Loaders): string[] {
  const included = includable(route, loaders).flatMap((name) => {
    const resource = route.resource.relationships[name]?.resource;
    return resource === undefined ? [] : [resource];
  });
  return [...new Set([route.resource.type, ...included])];
}

function resourceSchemas(routes: readonly Route[], loaders: Loaders): JsonObject {
  const resources: readonly ResourceDefinition[] = [
    ...routes.flatMap((route) => (route.kind === "api" ? [route.resource] : [])),
    ...[...loaders.values()].map((loader) => loader.resource),
  ];
  return Object.fromEntries(
    resources.flatMap((resource) => [
      [schemaName(resource.type), resourceSchema(resource)],
      [sparseName(resource.type), sparseSchema(resource)],
    ]),
  );
}

/** One response per HTTP status, with its rows of the error table in the description. */
function errorResponses(): JsonObject {
  const byStatus = Map.groupBy(Object.values(rejections), (row) => row.status);
  return Object.fromEntries(
    [...byStatus].map(([status, rows]) => [
      `Error${status}`,
      {
        description: rows.map((row) => `${row.code}: ${row.title}`).join("; "),
        content: { [mediaType]: { schema: reference("ErrorDocument") } },
      },
    ]),
  );
}

function assertUniqueOperations(paths: JsonObject): void {
  const ids: readonly string[] = JSON.stringify(paths).match(/"operationId":"[^"]+"/g) ?? [];
  for (const id of ids)
    assert(ids.indexOf(id) === ids.lastIndexOf(id), `two routes share a summary: ${id}`);
}

const link = { type: ["string", "null"], format: "uri" };

const sharedSchemas: JsonObject = {
  ErrorDocument: errorDocumentSchema,
  Metadata: metadataSchema,
  Resource: {
    type: "object",
    required: ["type", "id"],
    properties: { type: { type: "string" }, id: { type: "string" } },
  },
  PageLinks: {
    type: "object",
    required: ["first", "next"],
    properties: { first: link, last: link, next: link, prev: link },
  },
  PageMeta: {
    type: "object",
    required: ["pagination"],
    properties: {
      pagination: {
        type: "object",
        description:
          "page, pages and count; a cursor page has its size. Above 10,000 rows, pages and count are estimates (is_estimate).",
        properties: {
          page: { type: "integer", minimum: 1 },
          pages: { type: "integer", minimum: 1 },
          count: { type: "integer", minimum: 0 },
          is_estimate: { type: "boolean" },
          size: { type: "integer", minimum: 1, maximum: 100 },
        },
      },
    },
  },
};

const sharedHeaders: JsonObject = {
  RequestId: { description: "Quote it when you ask for support.", schema: { type: "string" } },
  RateLimitPolicy: {
    description: 'The budget: `"read";q=600;w=60` is 600 requests in 60 seconds.',
    schema: { type: "string" },
  },
  RateLimit: {
    description: 'The remaining budget: `"read";r=599;t=42`, for 42 seconds.',
    schema: { type: "string" },
  },
  Location: { description: "The new resource.", schema: { type: "string", format: "uri" } },
};
