import { type Executor, statement } from "../../platform/db/database.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";

/** A transfer to a deposit address on an account chain. */
export type HeldArrival = {
  readonly watchKey: string;
  readonly currency: CurrencyId;
  readonly accountId: string;
  readonly walletId: string;
  readonly keyIndex: number;
  readonly units: bigint;
};

const addStatement = statement<never>(
  "holding.add",
  `insert into holding as known (chain, watch_key, currency, account_id, wallet_id, key_index, units, changed_at_height)
   select $1::text, found.*, $2::bigint
   from unnest($3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::numeric[]) as found
   on conflict (chain, watch_key, currency) do update
     set units = known.units + excluded.units, changed_at_height = excluded.changed_at_height
     where known.changed_at_height < excluded.changed_at_height`,
);

/** Adds what a block brought, one row per address and currency. Idempotent. */
export async function addHoldings(
  tx: Executor,
  chain: string,
  height: number,
  arrivals: readonly HeldArrival[],
): Promise<void> {
  if (arrivals.length === 0) return;
  await tx.query(addStatement, [
    chain,
    height,
    arrivals.map(({ watchKey }) => watchKey),
    arrivals.map(({ currency }) => currency),
    arrivals.map(({ accountId }) => accountId),
    arrivals.map(({ walletId }) => walletId),
    arrivals.map(({ keyIndex }) => keyIndex),
    arrivals.map(({ units }) => units),
  ]);
}

const takeBackStatement = statement<never>(
  "holding.take-back",
  `update holding set units = greatest(holding.units - gone.units, 0),
     changed_at_height = least(holding.changed_at_height, $2::bigint - 1)
   from (
     select watch_key, currency, sum(units) as units from (
       select watch_key, currency, units from transfer
       where chain = $1 and block_height = $2::bigint and deposit_id is not null and currency is not null
         and not exists (select from deposit_report r where r.transfer_id = transfer.id and not r.is_on_chain)
       union all
       select watch_key, currency, chain_units from deposit_report r
       where chain = $1 and block_height = $2::bigint and kind = 'arrived' and chain_units > 0
         and not exists (
           select from deposit_report later
           where later.transfer_id = r.transfer_id and later.id > r.id and not later.is_on_chain)) as brought
     group by watch_key, currency) as gone
   where holding.chain = $1 and holding.watch_key = gone.watch_key and holding.currency = gone.currency`,
);

/** Subtracts what the block at this height brought. Call it before its transfers lose their block. */
export async function subtractHoldings(tx: Executor, chain: string, height: number): Promise<void> {
  await tx.query(takeBackStatement, [chain, height]);
}

const restoreStatement = statement<never>(
  "holding.restore",
  `update holding h set units = found.units
   from unnest($4::text[], $5::numeric[]) as found (watch_key, units)
   where h.chain = $1 and h.currency = $2 and h.watch_key = found.watch_key and h.units = 0 and h.changed_at_height <= $3`,
  { mayWait: true },
);

/** Enters what addresses held at that height that are empty according to the books; those that a later block paid stay as they are. */
export async function restoreHoldings(
  tx: Executor,
  chain: string,
  currency: CurrencyId,
  height: number,
  found: ReadonlyMap<string, bigint>,
): Promise<void> {
  if (found.size === 0) return;
  await tx.query(restoreStatement, [
    chain,
    currency,
    height,
    [...found.keys()],
    [...found.values()],
  ]);
}
