import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import { assetName, type IntendedAsset, type PayoutIntent, type SignedSpend } from "../intent.ts";

/** Recent totals for the limits, computed from the journal alone. */
export type SpendTotals = {
  /**
   * `firstPayouts`: its payouts that were never signed before, so that replacements count once. `addedFee`: what it can burn
   * beyond its spend's earlier attempts.
   */
  readonly add: (
    spend: SignedSpend,
    firstPayouts: readonly PayoutIntent[],
    addedFee: bigint,
    at: Instant,
  ) => void;
  /** Smallest units of the asset paid after `since`, whatever currency the payouts named. */
  readonly paidSince: (chain: string, asset: IntendedAsset, since: Instant) => bigint;
  /**
   * Smallest units of the chain's coin that spends signed after `since` can burn at most; attempts of one spend count as the
   * most expensive one.
   */
  readonly feesSince: (chain: string, since: Instant) => bigint;
};

type Event = { readonly at: Instant; readonly units: bigint };

/** No limit looks back further. */
const keptSeconds = 2 * 86_400;
/** Old events are removed only once there are many. */
const manyEvents = 4_096;

/** Creates empty totals. */
export function createSpendTotals(): SpendTotals {
  const events = new Map<string, Event[]>();

  const add = (name: string, event: Event): void => {
    const kept = events.get(name) ?? [];
    kept.push(event);
    const oldest = kept[0]?.at ?? event.at;
    const limit = addSeconds(event.at, -keptSeconds);
    const isOverfull = kept.length > manyEvents && oldest < limit;
    events.set(name, isOverfull ? kept.filter(({ at }) => at >= limit) : kept);
  };
  /** If the clock was set back, events lie in the future and count until that time. */
  const sum = (name: string, since: Instant): bigint =>
    (events.get(name) ?? []).reduce(
      (total, { at, units }) => (at > since ? total + units : total),
      0n,
    );

  return {
    add: ({ chain: spent }, firstPayouts, addedFee, at) => {
      for (const { chain, asset, units } of firstPayouts) {
        add(`${chain}/${assetName(asset)}`, { at, units: BigInt(units) });
      }
      add(spent, { at, units: addedFee });
    },
    paidSince: (chain, asset, since) => sum(`${chain}/${assetName(asset)}`, since),
    feesSince: (chain, since) => sum(chain, since),
  };
}
