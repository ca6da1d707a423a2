import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { changeReceipts } from "./change-receipts.ts";
import { lockReceiptsOfPayouts } from "./receipt.store.ts";
import type { Receipt } from "./receipt.ts";

/** A payout that released its funds, or (`isReleased` false) charges the wallet again after releasing them. */
type Outcome = { readonly payoutId: string; readonly isReleased: boolean };

/** Keeps returned receipts consistent with their payouts: see `RefundListener` in `payouts`. */
export const returnKeeper = {
  lock: async (tx: Executor, payouts: readonly { readonly id: string }[]): Promise<void> => {
    await lockReceiptsOfPayouts(
      tx,
      payouts.map(({ id }) => id),
    );
  },
  applyOutcomes: async (
    tx: Executor,
    outcomes: readonly Outcome[],
    now: Instant,
  ): Promise<void> => {
    if (outcomes.length === 0) return;
    const isReleased = new Map(outcomes.map((outcome) => [outcome.payoutId, outcome.isReleased]));
    const receipts = await lockReceiptsOfPayouts(tx, [...isReleased.keys()]);
    await changeReceipts(
      tx,
      receipts,
      (receipt) => afterOutcome(receipt, isReleased.get(receipt.payoutId ?? ""), now),
      now,
    );
  },
};

/**
 * The money is unattributed again when its payout ends without paying, and returned again if that payout pays after all. After
 * another decision the payout is charged to the wallet alone.
 */
function afterOutcome(receipt: Receipt, isReleased: boolean | undefined, now: Instant): Receipt {
  if (receipt.state === "returning" && isReleased === true)
    return { ...receipt, state: "waiting", updatedAt: now };
  if (receipt.state === "waiting" && isReleased === false)
    return { ...receipt, state: "returning", updatedAt: now };
  return receipt;
}
