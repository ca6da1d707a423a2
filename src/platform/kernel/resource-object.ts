import type { JsonValue } from "./json.ts";

/** Identifies one resource: JSON:API 1.1, "Resource Identifier Objects". */
export type ResourceIdentifier = { readonly type: string; readonly id: string };

export type ToOne = { readonly data: ResourceIdentifier | null };

/** One resource in a response or callback: JSON:API 1.1, "Resource Objects". */
export type ResourceObject<
  Attribute extends string = string,
  Relationship extends string = string,
> = ResourceIdentifier & {
  readonly attributes: { readonly [Name in Attribute]: JsonValue };
  readonly relationships?: { readonly [Name in Relationship]: ToOne };
};

/** A to-one relationship; `id` null means none. */
export function toOne(type: string, id: string | null): ToOne {
  return { data: id === null ? null : { type, id } };
}
