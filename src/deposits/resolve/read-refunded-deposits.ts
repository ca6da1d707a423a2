import type { Executor } from "../../platform/db/database.ts";
import { findRefundedDeposits, type PayoutKey } from "./refund.store.ts";

/** The deposits whose payments these payouts refund, by payout, for a caller who may view the payouts. */
export function readRefundedDeposits(
  db: Executor,
  payouts: readonly PayoutKey[],
): Promise<ReadonlyMap<string, string>> {
  return findRefundedDeposits(db, payouts);
}
