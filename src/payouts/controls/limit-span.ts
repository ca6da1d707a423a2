/** What a payout limit covers: one payout, or all payouts requested within the last hour or day. */
export const limitSpans = ["transaction", "hour", "day"] as const;

export type LimitSpan = (typeof limitSpans)[number];
