import type { Instant } from "../platform/kernel/clock.ts";

/** What events are about. */
export type ObjectType = "deposit" | "payout";

/** What callbacks are about: an event of these, or nothing at all, to try a receiver. */
export type SubjectType = ObjectType | "test";

/** A delivery of one event to one URL, as its owner sees it. */
export type Callback = {
  readonly id: string;
  readonly url: string;
  readonly status: CallbackStatus;
  readonly trigger: string;
  readonly objectType: SubjectType;
  readonly objectId: string;
  readonly walletId: string | null;
  readonly webhookId: string;
  readonly attempts: number;
  /** Null when nothing is to be sent any more. */
  readonly nextAttemptAt: Instant | null;
  readonly lastStatusCode: number | null;
  readonly deliveredAt: Instant | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

export type CallbackStatus = "pending" | "delivered" | "exhausted";

/** One entry of a callback's log. */
export type CallbackAttempt = {
  readonly number: number;
  readonly attemptedAt: Instant;
  readonly durationMs: number;
  readonly statusCode: number | null;
  /** Why no answer came; null when one did. */
  readonly error: string | null;
  /** The first 2 KiB of the answer as text, with everything unprintable escaped. */
  readonly answerHead: string | null;
};
