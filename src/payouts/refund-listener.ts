import type { Executor } from "../platform/db/database.ts";
import type { Instant } from "../platform/kernel/clock.ts";
import type { Payout } from "./payout.ts";

/** A payout that released its money, or (`isReleased` false) charges it again after it had released it. */
export type RefundOutcome = {
  readonly accountId: string;
  readonly payoutId: string;
  readonly isReleased: boolean;
};

/** Keeps the payments that payouts pay back true to what becomes of these payouts. Payouts that pay nothing back are ignored. */
export type RefundListener = {
  /** Locks the deposits of those payments. Deposits are locked before payouts. */
  readonly lock: (
    tx: Executor,
    payouts: readonly Pick<Payout, "accountId" | "id">[],
  ) => Promise<void>;
  /**
   * Undoes the refunds of payouts that released their money: the payments wait for a decision again. A payout that charges its
   * money again gets its refund back, unless another decision on the payment was made in between.
   */
  readonly applyOutcomes: (
    tx: Executor,
    outcomes: readonly RefundOutcome[],
    now: Instant,
  ) => Promise<void>;
};

/** Whether the payout charges nothing any more, but perhaps the fee of a reverted transaction. */
export function isReleased({ stage }: Pick<Payout, "stage">): boolean {
  return stage === "cancelled" || stage === "failed";
}
