import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import type { Calculation } from "./calculate.ts";

/** The calculation resource. Calculations are not stored, so the id is always 0. */
export function calculationResource(calculation: Calculation, currencies: CurrencyRegistry) {
  const { quote, feeCurrency, commission } = calculation;
  const fee = (units: bigint): string => formatDecimal(units, feeCurrency.exp);
  return {
    type: "payout-calculation",
    id: "0",
    attributes: {
      is_internal: calculation.isInternal,
      fee: {
        low: fee(quote.low),
        medium: fee(quote.medium),
        high: fee(quote.high),
        dust_amount: fee(quote.dust),
        warning: quote.warning,
        currency: Number(feeCurrency.id),
      },
      commission: {
        amount: formatDecimal(commission.units, currencies.get(commission.currency).exp),
        currency: Number(commission.currency),
      },
    },
  } as const;
}
