import type { Instant } from "../kernel/clock.ts";
import type { CurrencyId } from "../kernel/money.ts";
import type { Rate } from "../kernel/rate.ts";

/** The price of `left` in `right` now, and until when it may be called now. */
export type CurrentRate = { readonly rate: Rate; readonly expiresAt: Instant };

/** Null when no source has a fresh price of one of the two. Equal currencies have the rate 1. */
export type FindRate = (left: CurrencyId, right: CurrencyId) => Promise<CurrentRate | null>;
