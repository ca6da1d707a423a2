import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

const lock = statement<never>(
  "open-locks.lock-accounts",
  "select from account where id = any($1::bigint[]) order by id for no key update",
);

/** Serializes transactions that lock rates for these accounts. Call it before locking a deposit. */
export async function lockRateLocks(tx: Executor, accountIds: readonly string[]): Promise<void> {
  await tx.query(lock, [accountIds]);
}

/** The requested amounts of an account's open locks in one wallet currency, in its units. */
export type OpenLocks = {
  readonly accountId: string;
  readonly walletCurrency: CurrencyId;
  readonly units: bigint;
};

const read = statement<{
  readonly account_id: string;
  readonly wallet_currency: string;
  readonly units: bigint;
}>(
  "open-locks.read",
  `select account_id, wallet_currency, sum(target_amount_requested) as units from deposit
   where account_id = any($1::bigint[]) and rate_expires_at > $2 and status = 2
     and target_amount_requested is not null and rate_expires_at is not null
   group by account_id, wallet_currency`,
);

/** The rate locks of these accounts that are open at an instant: unexpired ones of Created deposits. */
export async function readOpenLocks(
  tx: Executor,
  accountIds: readonly string[],
  at: Instant,
): Promise<readonly OpenLocks[]> {
  const rows = await tx.query(read, [accountIds, formatTimestamp(at)]);
  return rows.map((row) => ({
    accountId: row.account_id,
    walletCurrency: row.wallet_currency as CurrencyId,
    units: row.units,
  }));
}
