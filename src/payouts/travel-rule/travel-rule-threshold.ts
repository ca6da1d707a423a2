import type { CurrencyId } from "../../platform/kernel/money.ts";

/** The units per currency from which a payout requires travel-rule data. A currency that is absent always requires it. */
export type TravelRuleThresholds = ReadonlyMap<CurrencyId, bigint>;

/** Whether a payout of this many units requires travel-rule data. */
export function isTravelRuleRequired(
  thresholds: TravelRuleThresholds,
  currency: CurrencyId,
  units: bigint,
): boolean {
  const threshold = thresholds.get(currency);
  return threshold === undefined || units >= threshold;
}
