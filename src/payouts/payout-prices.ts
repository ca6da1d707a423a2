import type { FiatPrice } from "../currencies/rates/fiat-price.ts";

/**
 * What a payout is worth in its account's fiat currency, and its network fee where that is charged in another currency than the
 * payout's; null without a fresh price.
 */
export type PayoutPrices = { readonly amount: FiatPrice | null; readonly fee: FiatPrice | null };
