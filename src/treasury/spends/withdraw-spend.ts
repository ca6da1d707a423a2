import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { changeSpends } from "./change-spends.ts";
import type { SpendListener } from "./spend-listener.ts";
import { withdraw } from "./spend-transitions.ts";

/**
 * Drops a spend if the signer was never asked about it, in the caller's transaction: its claims are free, and the listener
 * hears `dropped`. False, with nothing written, once it was. The caller locks no payout before: a spend's row comes first.
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
