import type { CurrencyId } from "../../platform/kernel/money.ts";
import { multiplyByRate, type Rate } from "../../platform/kernel/rate.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { Currency } from "../currency.ts";
import type { CurrencyRegistry } from "../registry.ts";
import type { FindRate } from "./current-rate.ts";

/** A fiat currency, and the price in it of one unit of another currency. */
export type FiatPrice = { readonly currency: CurrencyId; readonly rate: Rate };

/**
 * The current bid of `currency` in a fiat currency; null without a fresh price. Money never waits for it, so prices that cannot be
 * read count as missing.
 */
export async function findFiatPrice(
  findRate: FindRate,
  currency: CurrencyId,
  fiat: CurrencyId,
): Promise<FiatPrice | null> {
  try {
    const found = await findRate(currency, fiat);
    return found === null ? null : { currency: fiat, rate: found.bid };
  } catch (error) {
    if (error instanceof Unavailable) return null;
    throw error;
  }
}

/** What `units` of `currency` are worth at the price, in units of the fiat currency, rounded down. */
export function worthInFiat(
  units: bigint,
  currency: Pick<Currency, "exp">,
  price: FiatPrice,
  currencies: CurrencyRegistry,
): bigint {
  return multiplyByRate(
    units,
    currency.exp,
    price.rate,
    currencies.get(price.currency).exp,
    "down",
  );
}
