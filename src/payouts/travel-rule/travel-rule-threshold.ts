import type { CurrencyId } from "../../platform/kernel/money.ts";

/** From how many units of a currency on a payout must name its receiver. A currency that is not here: always. */
export type TravelRuleThresholds = ReadonlyMap<CurrencyId, bigint>;

/** Whether a payout of so many units must name its receiver. */
export function isTravelRuleRequired(
  thresholds: TravelRuleThresholds,
  currency: CurrencyId,
  units: bigint,
): boolean {
  const threshold = thresholds.get(currency);
  return threshold === undefined || units >= threshold;
}
