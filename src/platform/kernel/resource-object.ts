import type { JsonValue } from "./json.ts";

/** Names one resource: JSON:API 1.1, "Resource Identifier Objects". */
export type ResourceIdentifier = { readonly type: string; readonly id: string };

export type ToOne = { readonly data: ResourceIdentifier | null };

/** One resource as it stands in an answer or a callback: JSON:API 1.1, "Resource Objects". */
export type ResourceObject<
  Attribute extends string = string,
  Relationship extends string = string,
> = ResourceIdentifier & {
  readonly attributes: { readonly [Name in Attribute]: JsonValue };
  readonly relationships?: { readonly [Name in Relationship]: ToOne };
};

/** A to-one relationship; null where nothing is related. */
export function toOne(type: string, id: string | null): ToOne {
  return { data: id === null ? null : { type, id } };
}
