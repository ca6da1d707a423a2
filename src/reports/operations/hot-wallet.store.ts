import { type Executor, statement } from "../../platform/db/database.ts";

export type OwnAddress = {
  readonly keyspace: string;
  readonly purpose: string;
  readonly address: string;
  readonly tag: string | null;
};

const readOwn = statement<OwnAddress>(
  "hot-wallet.own-addresses",
  "select keyspace, purpose, address, tag from treasury_address where key_index = 0 and purpose in ('hot', 'gas')",
);

/** The hot and gas accounts of account chains that a worker has stored. */
export function readOwnAccounts(db: Executor): Promise<readonly OwnAddress[]> {
  return db.query(readOwn);
}

export type CoinLevel = {
  readonly chain: string;
  readonly count: number;
  readonly units: bigint;
  /** The part that a payout could use now. */
  readonly spendableUnits: bigint;
};

const readCoins = statement<{
  readonly chain: string;
  readonly count: string;
  readonly units: bigint;
  readonly spendableUnits: bigint;
}>(
  "hot-wallet.coins",
  `select c.chain, count(*) as count, sum(c.units) as units,
     coalesce(sum(c.units) filter (where c.block_height <= cursor.height - asked.confirmations + 1
       and (c.spendable_from_height is null or c.spendable_from_height <= cursor.height + 1)
       and not exists (select from spend_claim s where s.chain = c.chain and s.claim = c.outpoint and s.is_live)), 0)
       as "spendableUnits"
   from unnest($1::text[], $2::bigint[]) as asked (chain, confirmations)
   join chain_cursor cursor on cursor.chain = asked.chain
   join coin c on c.chain = asked.chain and c.spent_height is null and c.block_height is not null and not c.is_doubted
   group by c.chain`,
  { mayTakeLong: true },
);

/** Our unspent coins per chain; `confirmations`: the depth from which they can be used. */
export async function readCoinLevels(
  db: Executor,
  chains: readonly { readonly chain: string; readonly confirmations: number }[],
): Promise<readonly CoinLevel[]> {
  const rows = await db.query(readCoins, [
    chains.map(({ chain }) => chain),
    chains.map(({ confirmations }) => confirmations),
  ]);
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}

export type UnsweptLevel = {
  readonly chain: string;
  readonly currency: string;
  readonly units: bigint;
};

const readUnsweptStatement = statement<UnsweptLevel>(
  "hot-wallet.unswept",
  "select chain, currency, sum(units) as units from holding where units > 0 group by chain, currency",
  { mayTakeLong: true },
);

/** The balances of deposit addresses on account chains, as far as blocks were read. */
export function readUnswept(db: Executor): Promise<readonly UnsweptLevel[]> {
  return db.query(readUnsweptStatement);
}
