import type { PositionUnits } from "../../ledger/position.store.ts";
import type { PoolKind } from "../../reports/operations/operations.store.ts";
import type { Foundation } from "../build/foundation.ts";
import { pooledKinds } from "../build/pooled-kinds.ts";
import { positionLimits } from "../config/position-limits.ts";

/**
 * What the metrics of a deployment report even where the database has no row of it, so that its absence raises an alert. Rows of
 * other chains, which were removed from the configuration, are left out.
 */
export type ExpectedSeries = {
  readonly chains: ReadonlySet<string>;
  readonly pools: readonly PoolKind[];
  readonly positionMax: PositionUnits;
};

export const nothingExpected: ExpectedSeries = {
  chains: new Set(),
  pools: [],
  positionMax: new Map(),
};

export function expectedSeries({
  config,
  currencies,
  enabledChains,
}: Pick<Foundation, "config" | "currencies" | "enabledChains">): ExpectedSeries {
  return {
    chains: enabledChains,
    pools: pooledKinds(config),
    positionMax: positionLimits(config, currencies).max,
  };
}
