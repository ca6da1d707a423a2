import { type Executor, statement } from "../platform/db/database.ts";
import type { Instant } from "../platform/kernel/clock.ts";
import { formatTimestamp } from "../platform/kernel/timestamp.ts";
import type { Entry } from "./posting.ts";

export type WalletBalance = {
  readonly accountId: string;
  readonly walletId: string;
  readonly available: bigint;
  readonly pending: bigint;
  readonly held: bigint;
  readonly deficit: bigint;
};

const lock = statement<WalletBalance>(
  "ledger.lock-balances",
  `select account_id as "accountId", wallet_id as "walletId", available, pending, held, deficit
   from wallet_balance
   where (account_id, wallet_id) in (select * from unnest($1::bigint[], $2::bigint[]))
   order by wallet_id
   for update`,
);

/** Reads and locks the balances of these wallets, ordered by wallet id. */
export async function lockBalances(
  tx: Executor,
  wallets: readonly { readonly accountId: string; readonly walletId: string }[],
): Promise<readonly WalletBalance[]> {
  if (wallets.length === 0) return [];
  return tx.query(lock, [
    wallets.map((wallet) => wallet.accountId),
    wallets.map((wallet) => wallet.walletId),
  ]);
}

const update = statement<never>(
  "ledger.update-balances",
  `update wallet_balance as balance
   set available = input.available, pending = input.pending, held = input.held, deficit = input.deficit
   from unnest($1::bigint[], $2::bigint[], $3::numeric[], $4::numeric[], $5::numeric[], $6::numeric[])
     as input (account_id, wallet_id, available, pending, held, deficit)
   where balance.account_id = input.account_id and balance.wallet_id = input.wallet_id`,
);

/** Stores balances whose rows the caller has locked. */
export async function updateBalances(
  tx: Executor,
  balances: readonly WalletBalance[],
): Promise<void> {
  if (balances.length === 0) return;
  await tx.query(update, [
    balances.map((balance) => balance.accountId),
    balances.map((balance) => balance.walletId),
    balances.map((balance) => balance.available),
    balances.map((balance) => balance.pending),
    balances.map((balance) => balance.held),
    balances.map((balance) => balance.deficit),
  ]);
}

const insert = statement<never>(
  "ledger.insert-postings",
  `insert into posting (account_id, cause, debit, credit, currency, units, created_at)
   select input.*, $7::timestamptz
   from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::numeric[]) as input`,
);

/** Writes the postings of these entries; does not change balances. */
export async function insertPostings(
  tx: Executor,
  entries: readonly Entry[],
  now: Instant,
): Promise<void> {
  const rows = entries.flatMap((entry) =>
    entry.postings.map((posting) => ({ ...posting, ...entry })),
  );
  if (rows.length === 0) return;
  await tx.query(insert, [
    rows.map((row) => row.accountId),
    rows.map((row) => row.cause),
    rows.map((row) => row.debit),
    rows.map((row) => row.credit),
    rows.map((row) => row.currency),
    rows.map((row) => row.units),
    formatTimestamp(now),
  ]);
}
