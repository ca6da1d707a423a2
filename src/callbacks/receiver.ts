import type { Instant } from "../platform/kernel/clock.ts";

/** A receiver that has failed before, as its account sees it. */
export type Receiver = {
  readonly host: string;
  readonly consecutiveFailures: number;
  /** In the future: nothing is sent until then. In the past: one delivery probes the receiver. Null: not paused. */
  readonly openUntil: Instant | null;
  readonly failingSince: Instant | null;
  /** Number of callbacks waiting for this receiver. */
  readonly waiting: number;
  readonly updatedAt: Instant;
};
