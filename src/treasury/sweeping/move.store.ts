import { type Executor, statement } from "../../platform/db/database.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";

const findColdUnderWay = statement<{ readonly id: string }>(
  "move.find-cold-under-way",
  `select id from spend
   where chain = $1 and kind = 'cold' and left_currency = $2 and state in ('open', 'included') limit 1`,
);

/** Whether a transfer of the currency to the cold address is not at its confirmation count yet. */
export async function isColdTransferPending(
  db: Executor,
  chain: string,
  currency: CurrencyId,
): Promise<boolean> {
  return (await db.query(findColdUnderWay, [chain, currency])).length > 0;
}

const findConsolidation = statement<{ readonly id: string }>(
  "move.find-consolidation",
  `select id from spend where chain = $1 and kind = 'consolidation' and state in ('open', 'included') limit 1`,
);

/** Whether a consolidation of the chain's coins is not at its confirmation count yet. */
export async function isConsolidationPending(db: Executor, chain: string): Promise<boolean> {
  return (await db.query(findConsolidation, [chain])).length > 0;
}
