import { type Rejection, rejection } from "../../platform/kernel/rejection.ts";
import type { ResourceObject } from "../../platform/kernel/resource-object.ts";
import type { ResourceDefinition } from "../../platform/resources/define-resource.ts";
import { canonicalJson } from "./fingerprint-document.ts";
import { sourceText, wholeText } from "./read-field.ts";

type Members = Readonly<Record<string, unknown>>;

/** A read-only member in a PATCH document. */
export type ReadOnlyMember = {
  readonly family: "attributes" | "relationships";
  readonly name: string;
  readonly value: unknown;
};

/** The members of `data` that the resource defines and the route's document does not accept. */
export function readOnlyMembers(
  resource: ResourceDefinition,
  writable: ReadonlySet<string>,
  data: Members,
): readonly ReadOnlyMember[] {
  return (["attributes", "relationships"] as const).flatMap((family) => {
    const submitted = data[family];
    if (typeof submitted !== "object" || submitted === null) return [];
    return Object.entries(submitted)
      .filter(([name]) => Object.hasOwn(resource[family], name) && !writable.has(name))
      .map(([name, value]) => ({ family, name, value: value as unknown }));
  });
}

/**
 * invalidValue for each member that differs from its current value: a client may send back a whole resource with only writable
 * members changed. `current` is null when the resource cannot be read alone; then every member counts as changed.
 */
export function readOnlyFaults(
  members: readonly ReadOnlyMember[],
  current: ResourceObject | null,
): readonly Rejection[] {
  return members
    .filter((member) => current === null || !isUnchanged(member, current))
    .map(({ family, name }) => {
      const pointer = `/data/${family}/${name}`;
      return rejection("invalidValue", `${name} cannot be changed.`, { pointer });
    });
}

function isUnchanged({ family, name, value }: ReadOnlyMember, current: ResourceObject): boolean {
  const now = new Map<string, unknown>(Object.entries(current[family] ?? {})).get(name);
  return family === "attributes" ? isSame(value, now) : isSame(relatedId(value), relatedId(now));
}

/** Absent and null are equal, as are a number and its text, and the spellings of an integer. */
function isSame(submitted: unknown, now: unknown): boolean {
  const textOf = typeof now === "number" ? wholeText : sourceText;
  return canonicalJson(plain(textOf(submitted))) === canonicalJson(plain(now));
}

function plain(value: unknown): unknown {
  return typeof value === "number" ? String(value) : (value ?? null);
}

function relatedId(relationship: unknown): unknown {
  const data = (relationship as { readonly data?: { readonly id?: unknown } | null } | null)?.data;
  return wholeText(data?.id ?? null);
}
