import type { Currency } from "../currency.ts";

/** Error detail for a conversion without a fresh price. */
export function noFreshRate(of: Pick<Currency, "alpha">, inCurrency: Pick<Currency, "alpha">) {
  return `No fresh rate for ${of.alpha} in ${inCurrency.alpha} is available. Try again shortly.`;
}
