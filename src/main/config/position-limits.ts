import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { PositionLimits } from "../../ledger/position-limits.ts";
import type { Config } from "./config.ts";
import { configAmounts } from "./config-amount.ts";
import { amountFault, type Fault } from "./fault.ts";

/** The limits of `conversions.position_max`. */
export function positionLimits(config: Config, currencies: CurrencyRegistry): PositionLimits {
  return { currencies, max: configAmounts(currencies, config.conversions.position_max) };
}

/** Validates `conversions.position_max` beyond its schema: a misspelled name would leave a position unlimited. */
export function positionFaults(config: Config, currencies: CurrencyRegistry): readonly Fault[] {
  return Object.entries(config.conversions.position_max).flatMap(([alpha, amount]): Fault[] => {
    const message = amountFault(currencies, alpha, amount, false);
    return message === null ? [] : [{ path: ["conversions", "position_max", alpha], message }];
  });
}
