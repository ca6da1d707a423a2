import { isPayable } from "../../currencies/currency.ts";
import type { PositionUnits } from "../../ledger/position.store.ts";
import type { PoolKind } from "../../reports/operations/operations.store.ts";
import type { Foundation } from "../build/foundation.ts";
import { pooledKinds } from "../build/pooled-kinds.ts";
import { positionLimits } from "../config/position-limits.ts";

/**
 * What the metrics of a deployment report even where the database has no row of it, so that its absence raises an alert. Rows of
 * other chains and sources, which were removed from the configuration, are left out.
 */
export type ExpectedSeries = {
  readonly chains: ReadonlySet<string>;
  readonly pools: readonly PoolKind[];
  readonly rateSources: readonly string[];
  readonly rateSymbols: readonly ExpectedSymbol[];
  readonly positionMax: PositionUnits;
};

/** A market symbol, and whether it prices a coin or token of the deployment's chains; the others price fiat. */
export type ExpectedSymbol = { readonly symbol: string; readonly isOnChain: boolean };

export const nothingExpected: ExpectedSeries = {
  chains: new Set(),
  pools: [],
  rateSources: [],
  rateSymbols: [],
  positionMax: new Map(),
};

export function expectedSeries({
  config,
  currencies,
  enabledChains,
}: Pick<Foundation, "config" | "currencies" | "enabledChains">): ExpectedSeries {
  const rateSources = config.rates.sources.map(({ source }) => source);
  const priced = rateSources.length === 0 ? [] : currencies.all;
  const symbols = new Map<string, ExpectedSymbol>();
  for (const currency of priced) {
    const { chain, pricedAs: symbol } = currency;
    if (symbol === null || symbol === "USD") continue;
    const isOnChain = chain !== null;
    if (isOnChain && !(enabledChains.has(chain) && isPayable(currency))) continue;
    // A token may have the price of a fiat currency.
    if (symbols.get(symbol)?.isOnChain !== true) symbols.set(symbol, { symbol, isOnChain });
  }
  return {
    chains: enabledChains,
    pools: pooledKinds(config),
    rateSources,
    rateSymbols: [...symbols.values()],
    positionMax: positionLimits(config, currencies).max,
  };
}
