import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { changePayouts, type PayoutChange, type PayoutContext } from "../change-payouts.ts";
import { findDuePayouts } from "../payout.store.ts";

/** Counts confirmations of a chain's payouts, in the transaction that advances its tip to `height`. */
export async function confirmPayouts(
  tx: Executor,
  context: PayoutContext,
  chain: string,
  height: number,
  now: Instant,
): Promise<readonly PayoutChange[]> {
  const due = await findDuePayouts(tx, chain, height);
  return changePayouts(tx, context, due, (payout) => payout, now, new Map([[chain, height]]));
}
