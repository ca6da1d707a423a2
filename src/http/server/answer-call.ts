import type { JsonObject } from "../../platform/kernel/json.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";
import { type Rejection, reject } from "../../platform/kernel/rejection.ts";
import type { ResourceObject } from "../../platform/kernel/resource-object.ts";
import type { ResourceDefinition } from "../../platform/resources/define-resource.ts";
import { isIncludable, type Loaders, loadIncluded, sparse } from "../jsonapi/compose-document.ts";
import { pageEnvelope } from "../jsonapi/page-links.ts";
import { parseJson } from "../jsonapi/parse-json.ts";
import { attributeNames, readDocument, readDocumentWithFaults } from "../jsonapi/read-document.ts";
import { readOnlyFaults, readOnlyMembers } from "../jsonapi/read-only-faults.ts";
import {
  type QueryVocabulary,
  queryParameters,
  readListQuery,
  readOwnParameters,
  readShape,
  type ShapeQuery,
} from "../jsonapi/read-query.ts";
import { type ApiRoute, type Call, known, type One } from "./route.ts";

/** The response to a JSON:API request. */
export type CallAnswer = {
  readonly status: number;
  /** Null without a body. */
  readonly body: JsonObject | null;
  readonly headers: Readonly<Record<string, string | string[]>>;
};

/** What the routes of one server share. */
export type AnswerSetting = {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly loaders: Loaders;
  readonly vocabulary: QueryVocabulary;
  /** Reads the resource at a path; null when no route reads it alone. */
  readonly readerOf: (path: string) => ((call: Call) => Promise<One<ResourceDefinition>>) | null;
};

/** The resource types, and which relationships of each can be included. */
export function queryVocabulary(
  resourceTypes: ReadonlySet<string>,
  loaders: Loaders,
): QueryVocabulary {
  return {
    resourceTypes,
    isIncludable: (resource, path) => isIncludable(loaders, resource, path),
  };
}

/** Reads query and body by the route's definitions, runs its handler and composes the document. `url` is canonical. */
export async function answerCall(
  route: ApiRoute,
  call: Call,
  url: string,
  body: Uint8Array,
  setting: AnswerSetting,
): Promise<CallAnswer> {
  const id = call.context.params["id"];
  if (id !== undefined && !isObjectId(id)) reject("notFound", "No object with this id exists.");
  const parameters = queryParameters(url);
  if (route.handle.answers === "page") {
    const { shape, list } = readListQuery(parameters, route.resource, setting.vocabulary);
    const page = await route.handle.run(call, list);
    const path = url.split("?", 1)[0] ?? "";
    const envelope = pageEnvelope(page, list, parameters, `${setting.baseUrl}${path}/`);
    return {
      status: route.status,
      body: {
        links: envelope.links,
        data: page.items.map((item) => sparse(item, shape.fields)),
        ...(await included(page.items, shape, call, setting)),
        meta: envelope.meta,
      },
      headers: {},
    };
  }
  const shape = readShape(parameters, route.resource, setting.vocabulary, (name) =>
    Object.hasOwn(route.queryParameters, name),
  );
  if (route.handle.answers === "nothing") {
    await route.handle.run(call);
    return { status: route.status, body: null, headers: {} };
  }
  const own = readOwnParameters(parameters, route.queryParameters);
  const { input, attributes } = await readInput(route, call, body, setting);
  const {
    data,
    meta,
    headers,
    isRepeat = false,
  } = await route.handle.run(withParameters(call, own), input, attributes);
  return {
    status: isRepeat ? 200 : route.status,
    body: {
      data: sparse(data, shape.fields),
      ...(await included([data], shape, call, setting)),
      ...(meta === undefined ? {} : { meta }),
    },
    headers: {
      ...(route.status === 201 && !isRepeat
        ? { location: `${setting.baseUrl}${route.path}${data.id}/` }
        : {}),
      ...headers,
    },
  };
}

function withParameters(call: Call, own: Readonly<Record<string, string>>): Call {
  return { ...call, context: { ...call.context, params: { ...own, ...call.context.params } } };
}

async function readInput(
  route: ApiRoute,
  call: Call,
  body: Uint8Array,
  setting: AnswerSetting,
): Promise<{ readonly input: unknown; readonly attributes: ReadonlySet<string> }> {
  if (route.document === null) return { input: {}, attributes: new Set() };
  const parsed = body.length === 0 ? null : parseJson(body);
  const assertAllowed = () => route.assertAllowed?.(known(call).principal);
  const pathId = call.context.params["id"] ?? null;
  const input = route.answersFaults
    ? readDocumentWithFaults(route.document, parsed, assertAllowed)
    : await readDocument(route.document, parsed, pathId, assertAllowed, () =>
        route.method === "PATCH"
          ? findReadOnlyFaults(route, call, parsed, setting)
          : Promise.resolve([]),
      );
  return { input, attributes: new Set(attributeNames(parsed)) };
}

/** Faults of a PATCH that names read-only members. Reads the resource only if it names some. */
async function findReadOnlyFaults(
  route: ApiRoute,
  call: Call,
  parsed: unknown,
  { readerOf }: AnswerSetting,
): Promise<readonly Rejection[]> {
  const { data } = parsed as { readonly data: Readonly<Record<string, unknown>> };
  const writable = new Set(Object.keys(route.document?.fields ?? {}));
  const members = readOnlyMembers(route.resource, writable, data);
  if (members.length === 0) return [];
  const reader = readerOf(route.path);
  const current = reader === null ? null : (await reader(call)).data;
  return readOnlyFaults(members, current);
}

async function included(
  primary: readonly ResourceObject[],
  shape: ShapeQuery,
  call: Call,
  { loaders }: AnswerSetting,
): Promise<{ included?: readonly JsonObject[] }> {
  if (shape.include === null) return {};
  if (shape.include.length === 0) return { included: [] };
  const related = await loadIncluded(primary, shape.include, loaders, known(call));
  return { included: related.map((resource) => sparse(resource, shape.fields)) };
}
