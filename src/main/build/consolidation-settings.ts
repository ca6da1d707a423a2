import {
  type ConsolidationSettings,
  defaultConsolidationSettings,
} from "../../treasury/sweeping/move-context.ts";
import { familyOf } from "../families/families.ts";

/** When small coins of a chain are merged; `configuredMax` is `payouts.coins_max` of the configuration. */
export function consolidationSettings(
  chain: string,
  configuredMax: number = defaultConsolidationSettings.coinsMax,
): ConsolidationSettings {
  const { lowFeePerCoin: feePerCoin = defaultConsolidationSettings.feePerCoin, coinsMax } =
    familyOf(chain);
  return {
    ...defaultConsolidationSettings,
    coinsMax: Math.min(configuredMax, coinsMax ?? configuredMax),
    feePerCoin,
  };
}
