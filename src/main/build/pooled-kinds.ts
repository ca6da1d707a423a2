import type { PoolKind } from "../../reports/operations/operations.store.ts";
import type { Config } from "../config/config.ts";
import { familyOf } from "../families/families.ts";

/**
 * The kinds of addresses of which the deployment has a pool: one for each address type of each keyspace, unless all types spell one
 * address.
 */
export function pooledKinds({ chains }: Pick<Config, "chains">): readonly PoolKind[] {
  const kinds = new Map(
    Object.keys(chains).flatMap((chain) => {
      const { name, addressTypes, pooledAs } = familyOf(chain).keyspace;
      const types =
        pooledAs !== undefined || addressTypes.length === 0 ? [pooledAs ?? ""] : addressTypes;
      return types.map(
        (type) => [`${name} ${type}`, { keyspace: name, addressType: type }] as const,
      );
    }),
  );
  return [...kinds.values()];
}
