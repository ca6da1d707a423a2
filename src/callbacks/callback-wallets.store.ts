import { type Executor, statement } from "../platform/db/database.ts";

// Rows locked by a dispatcher are left for the next run.
const fillWallets = statement<{ id: string }>(
  "callback-wallets.fill",
  `with missing as (
     select callback.account_id, callback.id, object.wallet_id
     from callback cross join lateral (
       select wallet_id from deposit
       where callback.object_type = 'deposit' and deposit.account_id = callback.account_id and deposit.id = callback.object_id
       union all
       select wallet_id from payout
       where callback.object_type = 'payout' and payout.account_id = callback.account_id and payout.id = callback.object_id
     ) as object
     where callback.wallet_id is null and callback.object_type in ('deposit', 'payout')
     limit $1
     for update of callback skip locked
   )
   update callback set wallet_id = missing.wallet_id
   from missing
   where callback.account_id = missing.account_id and callback.id = missing.id
   returning callback.id`,
);

const batchSize = 500;

/**
 * Fills in the wallets of callbacks written by processes from before migration 0028. Each batch is a statement of its
 * own, so an interrupted run keeps what it has filled.
 */
export async function fillCallbackWallets(db: Executor, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await db.query(fillWallets, [batchSize])).length === batchSize);
}
