import type { SweepSurvey } from "../../chains/paying-port.ts";
import type { Currency } from "../../currencies/currency.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { divideByRate, multiplyByRate, type Rate, rateOfOne } from "../../platform/kernel/rate.ts";
import type { SweepContext } from "./sweep-context.ts";

/** Converts amounts into the chain's coin at the current rates. */
export type CoinWorth = {
  /** In units of the coin; null if no source has a fresh price. */
  readonly worth: (currency: CurrencyId, units: bigint) => bigint | null;
  /** The minimum units of the currency that are worth this many units of the coin. */
  readonly minimumWorth: (currency: CurrencyId, coinUnits: bigint) => bigint | null;
};

/** Reads the rates of all of the chain's currencies. */
export async function readCoinWorth({
  chain,
  currencies,
  findRate,
}: SweepContext): Promise<CoinWorth> {
  const coin = currencies.get(chain.writer.coin);
  const priced = new Map<CurrencyId, { readonly currency: Currency; readonly rate: Rate }>();
  for (const id of chain.currencies) {
    const found = id === coin.id ? { bid: rateOfOne } : await findRate(id, coin.id);
    if (found !== null) priced.set(id, { currency: currencies.get(id), rate: found.bid });
  }
  return {
    worth: (id, units) => {
      const price = priced.get(id);
      if (price === undefined) return null;
      return multiplyByRate(units, price.currency.exp, price.rate, coin.exp, "down");
    },
    minimumWorth: (id, coinUnits) => {
      const price = priced.get(id);
      if (price === undefined || price.rate.units === 0n) return null;
      return divideByRate(coinUnits, coin.exp, price.rate, price.currency.exp, "up");
    },
  };
}

/** The approximate cost of moving a currency together with others, in units of the coin, before an address is surveyed. */
export function usualFee(
  { mode, batchFeeUnits, usualFeeUnits }: SweepSurvey,
  { kind }: Pick<Currency, "kind">,
  sourcesMax: number,
): bigint {
  if (kind === "coin") return usualFeeUnits.coin;
  return usualFeeUnits.token + (mode === "batch" ? batchFeeUnits / BigInt(sourcesMax) : 0n);
}
