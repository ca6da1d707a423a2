import type { Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { Rate } from "../../platform/kernel/rate.ts";

/**
 * The price of `left` in `right` now, and until when it is current. Who receives `left` and credits `right` uses the bid,
 * rounded down; who pays `left` and charges `right` uses the ask, rounded up.
 */
export type CurrentRate = {
  readonly bid: Rate;
  readonly ask: Rate;
  readonly expiresAt: Instant;
};

/** Null when no source has a fresh price of one of the two. Equal currencies have the rate 1. */
export type FindRate = (left: CurrencyId, right: CurrencyId) => Promise<CurrentRate | null>;

/** The prices of this moment: what it returns answers by them, whenever it is asked. */
export type FreezeRates = () => Promise<FindRate>;
