import type { Executor } from "../../platform/db/database.ts";
import { findRefundedDeposit, type PayoutKey } from "./refund.store.ts";

/** The deposit whose payments a payout refunds, for a caller who may view the payout; null if it refunds none. */
export function readRefundedDeposit(db: Executor, payout: PayoutKey): Promise<string | null> {
  return findRefundedDeposit(db, payout);
}
