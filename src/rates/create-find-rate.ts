import type { CurrencyRegistry } from "../currencies/registry.ts";
import type { Executor } from "../db/database.ts";
import { addSeconds, type Clock, type Instant } from "../kernel/clock.ts";
import { bidSide } from "./cross-rate.ts";
import type { FindRate } from "./current-rate.ts";
import { type RateBook, readRateBook } from "./rate-book.ts";

/** Seconds for which a process values payments by the prices it has read: far less than the 30 between two rounds. */
const keepSeconds = 1;

/**
 * Finds the rate at which deposits are valued: the bid of the left over the ask of the right, rounded down, with at
 * least eight significant digits. Null when every source of one of the two is older than two rounds.
 */
export function createFindRate(db: Executor, registry: CurrencyRegistry, clock: Clock): FindRate {
  let kept: {
    readonly from: Instant;
    readonly until: Instant;
    readonly book: Promise<RateBook>;
  } | null = null;

  const currentBook = (): Promise<RateBook> => {
    const now = clock.now();
    if (kept !== null && kept.from <= now && now < kept.until) return kept.book;
    const reading = {
      from: now,
      until: addSeconds(now, keepSeconds),
      book: readRateBook(db, clock),
    };
    kept = reading;
    // A failed reading is not kept: the next caller tries again.
    reading.book.catch(() => {
      if (kept === reading) kept = null;
    });
    return reading.book;
  };

  return async (left, right) => {
    const book = await currentBook();
    const pair = book.pair(registry.get(left), registry.get(right));
    return pair === null ? null : { rate: bidSide(pair), expiresAt: pair.expiredAt };
  };
}
