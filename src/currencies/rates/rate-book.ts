import type { Executor } from "../../platform/db/database.ts";
import type { Clock, Instant } from "../../platform/kernel/clock.ts";
import type { Currency } from "../currency.ts";
import { type CrossRate, crossRate } from "./cross-rate.ts";
import type { PublishedQuote } from "./decide-rates.ts";
import { staleAt } from "./freshness.ts";
import { type MarginOf, withMargin } from "./margin.ts";
import { dollarQuote } from "./quote.ts";
import { readRateQuotes } from "./rate-quote.store.ts";

/** A price of one currency in another, with its creation and expiry times. */
export type PairRate = CrossRate & { readonly createdAt: Instant; readonly expiredAt: Instant };

/** All current prices at one instant. */
export type RateBook = {
  readonly isPriced: (currency: Currency) => boolean;
  /**
   * Includes the pair's margin. Null if either currency has no current price. Currencies with the same market symbol
   * have the rate 1.
   */
  readonly pair: (left: Currency, right: Currency) => PairRate | null;
};

/** Reads all current prices in one statement. */
export async function readRateBook(
  db: Executor,
  clock: Clock,
  marginOf: MarginOf,
): Promise<RateBook> {
  const quotes = await readRateQuotes(db);
  return rateBookAt(quotes, clock.now(), marginOf);
}

function rateBookAt(
  quotes: ReadonlyMap<string, PublishedQuote>,
  now: Instant,
  marginOf: MarginOf,
): RateBook {
  const dollar: PublishedQuote = {
    symbol: "USD",
    quote: dollarQuote,
    sources: 0,
    createdAt: now,
    expiredAt: staleAt(now),
  };
  const current = ({ pricedAs }: Currency): PublishedQuote | null => {
    if (pricedAs === "USD") return dollar;
    const quote = pricedAs === null ? undefined : quotes.get(pricedAs);
    if (quote === undefined || quote.expiredAt < now) return null;
    return quote;
  };
  return {
    isPriced: (currency) => current(currency) !== null,
    pair: (left, right) => {
      const isSame = left.pricedAs !== null && left.pricedAs === right.pricedAs;
      const margin = left.id === right.id ? 0n : marginOf(left, right);
      if (left.id === right.id || isSame) {
        const even = withMargin({ bid: 1n, ask: 1n, exp: 0 }, margin);
        return { ...even, createdAt: now, expiredAt: staleAt(now) };
      }
      const [one, other] = [current(left), current(right)];
      const rate = one === null || other === null ? null : crossRate(one.quote, other.quote);
      if (one === null || other === null || rate === null) return null;
      return {
        ...withMargin(rate, margin),
        createdAt: one.createdAt < other.createdAt ? one.createdAt : other.createdAt,
        expiredAt: one.expiredAt < other.expiredAt ? one.expiredAt : other.expiredAt,
      };
    },
  };
}
