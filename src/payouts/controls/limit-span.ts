/** What a payout limit counts: one payout, or everything that was requested within the last hour or day. */
export const limitSpans = ["transaction", "hour", "day"] as const;

export type LimitSpan = (typeof limitSpans)[number];
