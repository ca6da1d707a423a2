import type { Instant } from "../platform/kernel/clock.ts";

/** A receiver that failed at some time, as its account sees it. */
export type Receiver = {
  readonly host: string;
  readonly consecutiveFailures: number;
  /** Nothing is sent there until then; passed: one delivery tries it. Null: nothing is held back. */
  readonly openUntil: Instant | null;
  readonly failingSince: Instant | null;
  /** Callbacks that wait to be sent there. */
  readonly waiting: number;
  readonly updatedAt: Instant;
};
