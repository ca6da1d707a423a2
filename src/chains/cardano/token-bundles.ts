import type { AssetUnits } from "./block.ts";
import { valueBytes } from "./transaction-size.ts";

/* What lies with the ada of an output: a bundle of tokens. All tokens of the coins that a transaction spends have to be in its outputs. */

/** So many units of an asset fit into an output for certain: the ledger mints in 63 bits at a time, and nobody has to merge more. */
const quantityMax = 2n ** 63n - 1n;

/** Whether an output of ours cannot hold so much of the asset: a coin with it is never spent. */
export function isTooMany({ units }: AssetUnits): boolean {
  return units > quantityMax;
}

type Held = { readonly assets: readonly AssetUnits[] };

/** The tokens of the coins in few bundles, each of which fits into an output. A coin's own tokens fit into one: they are in one. */
export function bundlesOf(coins: readonly Held[], valueBytesMax: number): readonly Held[] {
  const bundles: Held[] = [];
  for (const { assets } of coins) {
    if (assets.length === 0) continue;
    const merged = bundles.map((bundle) => merge([bundle, { assets }]));
    const at = merged.findIndex((bundle) => canLie(bundle, valueBytesMax));
    const joined = merged[at];
    if (joined === undefined) bundles.push(merge([{ assets }]));
    else bundles[at] = joined;
  }
  return bundles;
}

/** Whether one output can hold the tokens, beside ada. */
export function canLie({ assets }: Held, valueBytesMax: number): boolean {
  return !assets.some(isTooMany) && valueBytes({ assets, units: leastBeside }) <= valueBytesMax;
}

/** The least amounts of outputs with tokens take five bytes. */
const leastBeside = 2n ** 32n - 1n;

/** All tokens, each asset once. */
export function merge(parts: readonly Held[]): Held {
  const sums = new Map<string, bigint>();
  for (const { assets } of parts)
    for (const { asset, units } of assets) sums.set(asset, (sums.get(asset) ?? 0n) + units);
  const assets = [...sums]
    .map(([asset, units]) => ({ asset, units }))
    .toSorted((one, other) => (one.asset < other.asset ? -1 : 1));
  return { assets };
}
