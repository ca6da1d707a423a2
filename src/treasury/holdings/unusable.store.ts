import { type Executor, statement } from "../../platform/db/database.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";

/** Amounts on a wallet's deposit addresses that are too small to move. */
export type SmallHolding = {
  readonly accountId: string;
  readonly walletId: string;
  readonly walletCurrency: CurrencyId;
  readonly currency: CurrencyId;
  readonly units: bigint;
};

const sumSmall = statement<SmallHolding>(
  "unusable.sum-small",
  `select h.account_id as "accountId", h.wallet_id as "walletId", w.currency as "walletCurrency", h.currency,
     sum(h.units) as units
   from holding h
   join unnest($1::text[], $2::numeric[]) as least (currency, units) on least.currency = h.currency
   join wallet w on w.account_id = h.account_id and w.id = h.wallet_id
   where h.units > 0 and h.units < least.units
     and not exists (
       select from address a join transfer t on t.account_id = a.account_id and t.deposit_id = a.deposit_id
       where a.keyspace = any($3::text[]) and a.watch_key = h.watch_key and a.account_id = h.account_id and t.chain = h.chain
         and (t.disposition = 'blocked' or t.risk_status = 2))
   group by h.account_id, h.wallet_id, w.currency, h.currency
   order by h.wallet_id, h.currency`,
  { mayTakeLong: true },
);

/**
 * Holdings below the minimum of their currency, summed by wallet and currency, without those of deposits that screening blocked
 * or has yet to check. Currencies without a minimum are left out.
 */
export function sumSmallHoldings(
  db: Executor,
  least: readonly { readonly currency: CurrencyId; readonly units: bigint }[],
  keyspaces: readonly string[],
): Promise<readonly SmallHolding[]> {
  return db.query(sumSmall, [
    least.map(({ currency }) => currency),
    least.map(({ units }) => units),
    keyspaces,
  ]);
}

export type Unusable = {
  readonly accountId: string;
  readonly walletId: string;
  readonly units: bigint;
};

const findDifferent = statement<Unusable>(
  "unusable.find-different",
  `select b.account_id as "accountId", b.wallet_id as "walletId", coalesce(small.units, 0) as units
   from wallet_balance b
   left join unnest($1::bigint[], $2::bigint[], $3::numeric[]) as small (account_id, wallet_id, units)
     on small.account_id = b.account_id and small.wallet_id = b.wallet_id
   where b.unusable <> coalesce(small.units, 0) and (b.unusable > 0 or small.units > 0)
   order by b.wallet_id`,
);

/** Wallets whose stored amount differs from the given one. */
export function listChangedUnusable(
  db: Executor,
  figures: readonly Unusable[],
): Promise<readonly Unusable[]> {
  return db.query(findDifferent, [
    figures.map(({ accountId }) => accountId),
    figures.map(({ walletId }) => walletId),
    figures.map(({ units }) => units),
  ]);
}

const write = statement<never>(
  "unusable.write",
  "update wallet_balance set unusable = $3 where account_id = $1 and wallet_id = $2",
  { mayWait: true },
);

/** Stores how many units of a wallet's money cannot be paid out for now. */
export async function updateUnusable(
  db: Executor,
  { accountId, walletId, units }: Unusable,
): Promise<void> {
  await db.query(write, [accountId, walletId, units]);
}
