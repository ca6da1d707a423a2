import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import type { Calculation } from "./calculate.ts";

/** A calculation as the wire shows it; it is kept nowhere, so its id says nothing. */
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
