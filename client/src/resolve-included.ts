/** A JSON:API resource object. */
export type AnyResource = {
  readonly type: string;
  readonly id: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, AnyRelationship>>;
};

type AnyRelationship = { readonly data?: { readonly type: string; readonly id: string } | null };

/**
 * Adds the related resources on the include paths (such as `wallet.currency`) as `resource` beside each relationship's `data`; null if
 * there is none or the caller cannot view it. Follows the paths only, so the result is a tree.
 */
export function resolveIncluded(
  resource: AnyResource,
  paths: readonly string[],
  included: readonly AnyResource[],
): AnyResource {
  if (paths.length === 0) return resource;
  const byFirst = new Map<string, string[]>();
  for (const path of paths) {
    const [first = "", ...rest] = path.split(".");
    const further = byFirst.get(first) ?? [];
    byFirst.set(first, rest.length === 0 ? further : [...further, rest.join(".")]);
  }
  const relationships = Object.entries(resource.relationships ?? {}).map(([name, one]) => {
    const further = byFirst.get(name);
    if (further === undefined) return [name, one] as const;
    const identifier = one.data ?? null;
    const found = included.find(
      (candidate) => candidate.type === identifier?.type && candidate.id === identifier.id,
    );
    const related = found === undefined ? null : resolveIncluded(found, further, included);
    return [name, { ...one, resource: related }] as const;
  });
  return { ...resource, relationships: Object.fromEntries(relationships) };
}
