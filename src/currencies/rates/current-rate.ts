import type { Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { Rate } from "../../platform/kernel/rate.ts";

/** The current price of `left` in `right`, and when it expires. Credit at the bid, rounded down; charge at the ask, rounded up. */
export type CurrentRate = {
  readonly bid: Rate;
  readonly ask: Rate;
  readonly expiresAt: Instant;
};

/** Null if either currency has no fresh price. Equal currencies have the rate 1. */
export type FindRate = (left: CurrencyId, right: CurrencyId) => Promise<CurrentRate | null>;

/** Takes a snapshot of all prices; the returned function answers from that snapshot however late it is called. */
export type FreezeRates = () => Promise<FindRate>;
