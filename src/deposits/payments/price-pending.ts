import type { Database } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { references } from "./incoming.store.ts";
import { type DepositContext, reconsider } from "./reconsider.ts";

const batchSize = 200;

/**
 * Prices payments that arrived without a fresh price once one is available. It visits all of them, so that payments of a currency
 * without a price do not block others.
 */
export async function pricePending(
  context: DepositContext & { readonly db: Database; readonly clock: Clock },
): Promise<void> {
  for (let last = "0"; ; ) {
    const found = await references.unpriced(context.db, last, batchSize);
    const request = {
      depositIds: found.map((row) => row.deposit_id),
      transferIds: found.map((row) => row.id),
      tips: new Map(),
      now: context.clock.now(),
    };
    await context.db.transaction((tx) => reconsider(tx, context, request, (facts) => facts));
    if (found.length < batchSize) return;
    last = found.at(-1)?.id ?? last;
  }
}
