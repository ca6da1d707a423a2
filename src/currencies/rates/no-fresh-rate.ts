import type { Currency } from "../currency.ts";

/** What a caller is told who needs a price that no source has: an error's `detail`. */
export function noFreshRate(of: Pick<Currency, "alpha">, inCurrency: Pick<Currency, "alpha">) {
  return `No fresh price of ${of.alpha} in ${inCurrency.alpha} is available; try again shortly.`;
}
