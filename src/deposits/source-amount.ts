import type { Currency } from "../currencies/currency.ts";
import { divideByRate, type Rate } from "../kernel/rate.ts";

/** What of the payment currency is worth so many units of the wallet's, rounded up: whoever pays it has paid enough. */
export function sourceAmountOf(
  targetUnits: bigint,
  walletCurrency: Currency,
  rate: Rate,
  currency: Currency,
): bigint {
  return divideByRate(targetUnits, walletCurrency.exp, rate, currency.exp, "up");
}
