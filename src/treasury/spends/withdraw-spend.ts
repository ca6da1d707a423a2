import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { changeSpends } from "./change-spends.ts";
import type { SpendListener } from "./spend-listener.ts";
import { withdraw } from "./spend-transitions.ts";

/**
 * Drops a spend that the signer has not seen, in the caller's transaction: its claims become free, and the listener gets
 * `dropped`. Returns false and writes nothing if the signer has seen it. The caller must not have locked a payout: a spend's
 * row is locked first.
 */
export async function withdrawSpend(
  tx: Executor,
  listener: SpendListener,
  spendId: string,
  now: Instant,
): Promise<boolean> {
  const changes = await changeSpends(tx, listener, [spendId], (spend) => withdraw(spend, now), now);
  return changes.length > 0;
}
