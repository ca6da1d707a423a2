import { assert } from "../kernel/assert.ts";
import type { JsonValue } from "../kernel/json.ts";
import type { ResourceObject } from "../kernel/resource-object.ts";
import type { FilterDefinition } from "./filters.ts";
import type { JsonSchema } from "./json-schema.ts";

/** One resource type. Responses, list queries, OPTIONS and OpenAPI follow from this record. */
export type ResourceDefinition = {
  readonly type: string;
  readonly description: string;
  /** Every attribute, always present in responses unless it is in `sometimes`. Attributes and relationships share one namespace. */
  readonly attributes: Readonly<Record<string, JsonSchema>>;
  /** Attributes that only some responses contain. Default: none, every attribute is always present. */
  readonly sometimes?: readonly string[];
  readonly relationships: Readonly<Record<string, RelationshipDefinition>>;
  readonly filters: Readonly<Record<string, FilterDefinition>>;
  /** Fields that `sort` accepts besides `id`. The database's lists use them as the names of their sort columns. */
  readonly sortable: readonly string[] | Readonly<Record<string, { readonly sql: string }>>;
  /** As in `sort`: `-created_at`. `id` breaks ties in the same direction. */
  readonly defaultSort: string;
};

export type RelationshipDefinition = {
  /** Resource type of the related object. */
  readonly resource: string;
  readonly nullable?: boolean;
  /** False: `include` does not accept it. */
  readonly includable?: boolean;
  readonly description?: string;
};

/** The resource object of a definition, with every attribute and relationship. */
export type ResourceOf<Definition extends ResourceDefinition> = ResourceObject<
  Exclude<Extract<keyof Definition["attributes"], string>, Sometimes<Definition>>,
  Extract<keyof Definition["relationships"], string>
> & { readonly attributes: { readonly [Name in Sometimes<Definition>]?: JsonValue } };

/** The names of a resource's filters. Lists are typed by them, so that every filter is implemented. */
export type FilterName<Definition extends ResourceDefinition> = Extract<
  keyof Definition["filters"],
  string
>;

type Sometimes<Definition extends ResourceDefinition> = Definition extends {
  sometimes: readonly (infer Name)[];
}
  ? Extract<Name, string>
  : never;

const memberName = /^[a-zA-Z0-9]([a-zA-Z0-9_-]*[a-zA-Z0-9])?$/;

const defaults = { relationships: {}, filters: {}, sortable: [], defaultSort: "id" } as const;

/** A definition without the members that have a default: no relationships, filters or sort fields besides `id`. */
type Definable = Omit<ResourceDefinition, keyof typeof defaults> &
  Partial<Pick<ResourceDefinition, keyof typeof defaults>>;

/**
 * Completes a definition. Asserts JSON:API's rules for member names. JSON:API reserves `type` too, but integrators' clients read a wallet's kind from its
 * attribute `type`, so that name stays allowed.
 */
export function defineResource<const Definition extends Definable>(
  definition: Definition,
): Omit<typeof defaults, keyof Definition> & Definition {
  const complete = { ...defaults, ...definition };
  const names = [...Object.keys(complete.attributes), ...Object.keys(complete.relationships)];
  assert(new Set(names).size === names.length, `${definition.type}: two fields have the same name`);
  for (const name of names) {
    assert(memberName.test(name), `${definition.type}: "${name}" is not a member name`);
    assert(name !== "id", `${definition.type}: ${name} cannot be an attribute`);
  }
  return complete;
}

/** The fields that `sort` accepts besides `id`. */
export function sortableFields({ sortable }: Pick<ResourceDefinition, "sortable">): string[] {
  const names = isArray(sortable) ? [...sortable] : Object.keys(sortable);
  return names.filter((name) => name !== "id");
}

function isArray(value: ResourceDefinition["sortable"]): value is readonly string[] {
  return Array.isArray(value);
}
