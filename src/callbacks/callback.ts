import type { Instant } from "../platform/kernel/clock.ts";

/** The types of objects that events are about. */
export type ObjectType = "deposit" | "payout";

/** The subject of a callback: an object of an event, or `test` for a test delivery. */
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
  /** Null when nothing more will be sent. */
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
  /** Why there was no answer; null if there was one. */
  readonly error: string | null;
  /** The first 2 KiB of the answer as text, unprintable characters escaped. */
  readonly answerHead: string | null;
};
