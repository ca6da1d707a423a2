import type { Path } from "./locate.ts";

/** A schema, seen as the tree of its members. */
export type SchemaNode = { readonly def: unknown };

/** The parts of a schema that this file reads. */
type Inside = {
  readonly type: string;
  readonly innerType?: SchemaNode;
  readonly element?: SchemaNode;
  readonly valueType?: SchemaNode;
  readonly shape?: Readonly<Record<string, SchemaNode>>;
  readonly in?: SchemaNode;
  readonly options?: readonly SchemaNode[];
};

export type Member = {
  readonly path: Path;
  readonly schema: SchemaNode;
  /** A row of a table with free names (`chains.BTC`) or of a list, rather than a member with a fixed name. */
  readonly isRow: boolean;
};

export type ValueKind = "text" | "number" | "truth" | "list" | "table";

/** Schemas without defaults and transformations, of which there are several for a union. */
function variantsOf(schema: SchemaNode): readonly Inside[] {
  const inside = schema.def as Inside;
  if (inside.innerType !== undefined) return variantsOf(inside.innerType);
  if (inside.in !== undefined) return variantsOf(inside.in);
  if (inside.options !== undefined) return inside.options.flatMap(variantsOf);
  return [inside];
}

/**
 * The member that the parts of a variable's name lead to: members by their names, entries of lists by their numbers from 0, rows
 * of tables by their names with `-` for `_`. Null if there is none.
 */
export function findMember(schema: SchemaNode, segments: readonly string[]): Member | null {
  let member: Member = { path: [], schema, isRow: false };
  for (const segment of segments) {
    const next = variantsOf(member.schema).flatMap((variant) => stepInto(variant, segment))[0];
    if (next === undefined) return null;
    member = { ...next, path: [...member.path, ...next.path] };
  }
  return member;
}

function stepInto({ shape, element, valueType }: Inside, segment: string): readonly Member[] {
  const name = segment.toLowerCase();
  const fixed = shape === undefined || !Object.hasOwn(shape, name) ? undefined : shape[name];
  if (fixed !== undefined && segment === segment.toUpperCase())
    return [{ path: [name], schema: fixed, isRow: false }];
  if (element !== undefined && /^(?:0|[1-9]\d{0,2})$/.test(segment))
    return [{ path: [Number(segment)], schema: element, isRow: true }];
  if (valueType !== undefined && segment !== "")
    return [{ path: [segment.replaceAll("_", "-")], schema: valueType, isRow: true }];
  return [];
}

/** The kinds of values that a schema accepts. */
export function valueKinds(schema: SchemaNode): ReadonlySet<ValueKind> {
  return new Set(variantsOf(schema).map(({ type }) => kinds[type] ?? "text"));
}

const kinds: Readonly<Record<string, ValueKind>> = {
  number: "number",
  boolean: "truth",
  array: "list",
  object: "table",
  record: "table",
};
