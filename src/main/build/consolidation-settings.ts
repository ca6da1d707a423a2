import {
  type ConsolidationSettings,
  defaultConsolidationSettings,
} from "../../treasury/sweeping/move-context.ts";
import { familyOf } from "../families/families.ts";

/** When small coins of a chain are merged; `coinsMax` is `payouts.coins_max` of the configuration. */
export function consolidationSettings(
  chain: string,
  coinsMax: number = defaultConsolidationSettings.coinsMax,
): ConsolidationSettings {
  const { lowFeePerCoin: feePerCoin = defaultConsolidationSettings.feePerCoin } = familyOf(chain);
  return { ...defaultConsolidationSettings, coinsMax, feePerCoin };
}
