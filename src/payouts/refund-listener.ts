import type { Executor } from "../platform/db/database.ts";
import type { Instant } from "../platform/kernel/clock.ts";
import type { Payout } from "./payout.ts";

/** A payout that released its funds, or (`isReleased` false) charges them again after that. */
export type RefundOutcome = {
  readonly accountId: string;
  readonly payoutId: string;
  readonly isReleased: boolean;
};

/** Keeps refunded payments consistent with the payouts that refund them. Other payouts are ignored. */
export type RefundListener = {
  /** Locks the payments' deposits. Deposits are locked before payouts. */
  readonly lock: (
    tx: Executor,
    payouts: readonly Pick<Payout, "accountId" | "id">[],
  ) => Promise<void>;
  /**
   * Undoes the refunds of payouts that released their funds: the payments are on hold again. If such a payout charges
   * its funds again, its refund is restored unless the payment was resolved otherwise in between.
   */
  readonly applyOutcomes: (
    tx: Executor,
    outcomes: readonly RefundOutcome[],
    now: Instant,
  ) => Promise<void>;
};

/** Whether the payout has returned its funds, except perhaps the fee of a reverted transaction. */
export function isReleased({ stage }: Pick<Payout, "stage">): boolean {
  return stage === "cancelled" || stage === "failed";
}

/** Tells each listener, in order. */
export function combineRefundListeners(listeners: readonly RefundListener[]): RefundListener {
  return {
    lock: async (tx, payouts) => {
      for (const { lock } of listeners) await lock(tx, payouts);
    },
    applyOutcomes: async (tx, outcomes, now) => {
      for (const { applyOutcomes } of listeners) await applyOutcomes(tx, outcomes, now);
    },
  };
}
