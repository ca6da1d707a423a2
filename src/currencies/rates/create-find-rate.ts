import type { Executor } from "../../platform/db/database.ts";
import { addSeconds, type Clock, type Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyRegistry } from "../registry.ts";
import { askSide, bidSide } from "./cross-rate.ts";
import type { FindRate, FreezeRates } from "./current-rate.ts";
import type { MarginOf } from "./margin.ts";
import { type RateBook, readRateBook } from "./rate-book.ts";

/** How long a process reuses the prices it has read; well below the 30 seconds between two refreshes. */
const cacheSeconds = 1;

export type RateFinders = { readonly findRate: FindRate; readonly freezeRates: FreezeRates };

/**
 * Creates the functions that find conversion rates. The bid is left's bid over right's ask, rounded down; the ask is
 * left's ask over right's bid, rounded up; both include the pair's margin. The rate is null if every source of either
 * currency is stale.
 */
export function createFindRate(
  db: Executor,
  registry: CurrencyRegistry,
  clock: Clock,
  marginOf: MarginOf,
): RateFinders {
  let cached: {
    readonly from: Instant;
    readonly until: Instant;
    readonly book: Promise<RateBook>;
  } | null = null;

  const currentBook = (): Promise<RateBook> => {
    const now = clock.now();
    if (cached !== null && cached.from <= now && now < cached.until) return cached.book;
    const reading = {
      from: now,
      until: addSeconds(now, cacheSeconds),
      book: readRateBook(db, clock, marginOf),
    };
    cached = reading;
    // Do not cache a failed read: the next caller tries again.
    reading.book.catch(() => {
      if (cached === reading) cached = null;
    });
    return reading.book;
  };

  const findIn =
    (read: () => Promise<RateBook>): FindRate =>
    async (left, right) => {
      const book = await read();
      const pair = book.pair(registry.get(left), registry.get(right));
      if (pair === null) return null;
      return { bid: bidSide(pair), ask: askSide(pair), expiresAt: pair.expiredAt };
    };
  return {
    findRate: findIn(currentBook),
    freezeRates: async () => {
      const book = await currentBook();
      return findIn(() => Promise.resolve(book));
    },
  };
}
