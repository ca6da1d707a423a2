import { assert } from "../kernel/assert.ts";
import type { JsonValue } from "../kernel/json.ts";
import type { ResourceObject } from "../kernel/resource-object.ts";
import type { Choice, JsonSchema } from "./json-schema.ts";

/** A query parameter `filter[name]`. How it reaches the rows is the store's part (`src/platform/db/list-query.ts`). */
export type FilterDefinition = {
  readonly lookup: "exact" | "icontains";
  /** What the text must be; anything else is refused before the database is asked. Default `text`: anything. */
  readonly value?: "text" | "timestamp" | "boolean";
  /** Anchored pattern that the text must match. */
  readonly regexp?: string;
  /** Longest text, in characters (code points). */
  readonly maxLength?: number;
  readonly choices?: readonly Choice[];
};

/**
 * One resource type: what stands in its answers and how its lists are asked. Everything that describes or checks the
 * wire (answers, list queries, OPTIONS, OpenAPI) is made from this record.
 */
export type ResourceDefinition = {
  readonly type: string;
  readonly description: string;
  /** Every attribute, always present in answers unless it is in `sometimes`. Attributes and relationships share one namespace. */
  readonly attributes: Readonly<Record<string, JsonSchema>>;
  /** Attributes that only some answers of the type have. Default: none, every attribute is always there. */
  readonly sometimes?: readonly string[];
  readonly relationships: Readonly<Record<string, RelationshipDefinition>>;
  readonly filters: Readonly<Record<string, FilterDefinition>>;
  /** Fields that `sort` takes; `id` may always be sorted by. */
  readonly sortable: readonly string[];
  /** As in `sort`: `-created_at`. `id` breaks ties in the same direction. */
  readonly defaultSort: string;
};

export type RelationshipDefinition = {
  /** Resource type of the related object. */
  readonly resource: string;
  readonly nullable?: boolean;
  /** False: `include` does not take it. */
  readonly includable?: boolean;
  readonly description?: string;
};

/** The resource object of a definition: TypeScript misses no attribute and no relationship. */
export type ResourceOf<Definition extends ResourceDefinition> = ResourceObject<
  Exclude<Extract<keyof Definition["attributes"], string>, Sometimes<Definition>>,
  Extract<keyof Definition["relationships"], string>
> & { readonly attributes: { readonly [Name in Sometimes<Definition>]?: JsonValue } };

type Sometimes<Definition extends ResourceDefinition> = Definition extends {
  sometimes: readonly (infer Name)[];
}
  ? Extract<Name, string>
  : never;

const memberName = /^[a-zA-Z0-9]([a-zA-Z0-9_-]*[a-zA-Z0-9])?$/;

/**
 * Checks what JSON:API asks of names; the record itself stays plain data. JSON:API reserves `type` too, but a wallet's
 * kind has always been its attribute `type` to integrators, and their clients come before the standard.
 */
export function defineResource<const Definition extends ResourceDefinition>(
  definition: Definition,
): Definition {
  const names = [...Object.keys(definition.attributes), ...Object.keys(definition.relationships)];
  assert(new Set(names).size === names.length, `${definition.type}: one name, two fields`);
  for (const name of names) {
    assert(memberName.test(name), `${definition.type}: "${name}" is no member name`);
    assert(name !== "id", `${definition.type}: ${name} is no attribute`);
  }
  return definition;
}
