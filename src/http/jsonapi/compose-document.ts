import { present } from "../../platform/kernel/assert.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import type { ResourceObject } from "../../platform/kernel/resource-object.ts";
import type { ResourceDefinition } from "../../platform/resources/define-resource.ts";
import type { ApiRequest } from "../server/route.ts";
import type { ShapeQuery } from "./read-query.ts";

/** Loads related resources of one type for `included`: those of `ids` that the caller may see, in any order. */
export type Loader = {
  readonly resource: ResourceDefinition;
  readonly load: (
    ids: readonly string[],
    request: ApiRequest,
  ) => Promise<readonly ResourceObject[]>;
};

export type Loaders = ReadonlyMap<string, Loader>;

/** Whether `include` accepts a path (`wallet`, `wallet.currency`): each step is a relationship to a type that can be loaded. */
export function isIncludable(
  loaders: Loaders,
  resource: ResourceDefinition,
  path: string,
): boolean {
  let at = resource;
  for (const step of path.split(".")) {
    const relationship = Object.hasOwn(at.relationships, step) ? at.relationships[step] : undefined;
    const loader = relationship === undefined ? undefined : loaders.get(relationship.resource);
    if (loader === undefined || relationship?.includable === false) return false;
    at = loader.resource;
  }
  return true;
}

/** The resources on the include paths, each once, without the primary data ("full linkage"). */
export async function loadIncluded(
  primary: readonly ResourceObject[],
  paths: readonly string[],
  loaders: Loaders,
  request: ApiRequest,
): Promise<readonly ResourceObject[]> {
  const known = new Map(primary.map((resource) => [key(resource), resource]));
  const included = new Map<string, ResourceObject>();
  for (const path of paths) {
    let from: readonly ResourceObject[] = primary;
    for (const step of path.split(".")) {
      const requested = new Map(
        from.flatMap((resource) => {
          const relationships = new Map(Object.entries(resource.relationships ?? {}));
          const related = relationships.get(step)?.data ?? null;
          return related === null ? [] : [[key(related), related] as const];
        }),
      );
      const missing = [...requested]
        .filter(([name]) => !known.has(name))
        .map(([, related]) => related);
      for (const resource of await loadAll(missing, loaders, request)) {
        known.set(key(resource), resource);
        included.set(key(resource), resource);
      }
      from = [...requested.keys()].flatMap((name) => known.get(name) ?? []);
    }
  }
  return [...included.values()];
}

async function loadAll(
  identifiers: readonly { readonly type: string; readonly id: string }[],
  loaders: Loaders,
  request: ApiRequest,
): Promise<readonly ResourceObject[]> {
  const byType = Map.groupBy(identifiers, (identifier) => identifier.type);
  const loads = [...byType].map(([type, group]) => {
    const loader = present(loaders.get(type), `loader of ${type}`);
    const ids = group.map((identifier) => identifier.id);
    return loader.load(ids, request);
  });
  return (await Promise.all(loads)).flat();
}

/** The resource with only the fields of `fields[TYPE]`. */
export function sparse(resource: ResourceObject, fields: ShapeQuery["fields"]): JsonObject {
  const kept = fields.get(resource.type);
  if (kept === undefined) return resource;
  const only = (members: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(members).filter(([name]) => kept.has(name)));
  const attributes = only(resource.attributes);
  const relationships = only(resource.relationships ?? {});
  return {
    type: resource.type,
    id: resource.id,
    ...(Object.keys(attributes).length === 0 ? {} : { attributes }),
    ...(Object.keys(relationships).length === 0 ? {} : { relationships }),
  };
}

function key(identifier: { readonly type: string; readonly id: string }): string {
  return `${identifier.type} ${identifier.id}`;
}
