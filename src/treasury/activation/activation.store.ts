import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";

/** An issued address that cannot be paid yet, for the currency of its deposit. */
export type InactiveAddress = {
  readonly watchKey: string;
  readonly address: string;
  readonly keyIndex: number;
  readonly accountId: string;
  readonly walletId: string;
  readonly depositId: string;
  readonly currency: CurrencyId;
  /** The newest transaction that is to activate it; null before the first. */
  readonly spendId: string | null;
  readonly toppedUpBy: string | null;
};

type Row = Omit<InactiveAddress, "keyIndex"> & { readonly keyIndex: string };

// A preparing transaction counts once a block contains it: the node says what is still missing.
const find = statement<Row>(
  "activation.find-inactive",
  `select a.watch_key as "watchKey", a.address, a.key_index as "keyIndex", a.account_id as "accountId",
     a.wallet_id as "walletId", a.deposit_id as "depositId", d.currency, a.activating_spend_id as "spendId",
     a.topped_up_by as "toppedUpBy"
   from address a join deposit d on d.account_id = a.account_id and d.id = a.deposit_id
   where a.keyspace = $1 and a.needs_activation and d.chain = $2
     and not exists (select from spend s where s.id = a.activating_spend_id and s.state = 'open')
   order by a.issued_at, a.watch_key limit $3`,
);

/** Inactive addresses of the chain without an open transaction, the longest waiting first. */
export async function findInactive(
  db: Executor,
  { keyspace, chain }: { readonly keyspace: string; readonly chain: string },
  limit: number,
): Promise<readonly InactiveAddress[]> {
  const rows = await db.query(find, [keyspace, chain, limit]);
  return rows.map((row) => ({ ...row, keyIndex: Number(row.keyIndex) }));
}

const assign = statement<{ readonly watchKey: string }>(
  "activation.assign-spend",
  `update address set activating_spend_id = $3, topped_up_by = case when $4::boolean then $3 else topped_up_by end
   where keyspace = $1 and watch_key = $2 and needs_activation and activating_spend_id is not distinct from $5::bigint
   returning watch_key as "watchKey"`,
);

/** Records the transaction that is to activate the address. False, and nothing written, if another one was recorded since. */
export async function assignSpend(
  tx: Executor,
  keyspace: string,
  { watchKey, spendId: before }: InactiveAddress,
  { spendId, topsUp }: { readonly spendId: string; readonly topsUp: boolean },
): Promise<boolean> {
  const values = [keyspace, watchKey, spendId, topsUp, before];
  return (await tx.query(assign, values)).length > 0;
}

const finish = statement<{ readonly watchKey: string }>(
  "activation.finish",
  `update address set needs_activation = false where keyspace = $1 and watch_key = $2 and needs_activation
   returning watch_key as "watchKey"`,
);

/** Records that the address can be paid. False if that was recorded before. */
export async function finishActivation(
  tx: Executor,
  keyspace: string,
  watchKey: string,
): Promise<boolean> {
  return (await tx.query(finish, [keyspace, watchKey])).length > 0;
}

/** The transaction that sent an address the coin that it has to hold. */
export type ActivatingTransfer = {
  readonly txid: string;
  readonly units: bigint;
  readonly height: number;
  readonly hash: string;
  readonly at: Instant;
};

const readTransfer = statement<
  Omit<ActivatingTransfer, "height" | "units"> & { readonly height: string; readonly units: string }
>(
  "activation.read-transfer",
  `select a.txid, s.purpose ->> 'units' as units, s.block_height as height, s.block_hash as hash, s.updated_at as at
   from spend s join spend_attempt a on a.spend_id = s.id and a.number = s.mined_attempt
   where s.id = $1 and s.block_height is not null and a.txid is not null`,
);

/** Null unless a block contains it. */
export async function readActivatingTransfer(
  db: Executor,
  spendId: string,
): Promise<ActivatingTransfer | null> {
  const [row] = await db.query(readTransfer, [spendId]);
  return row === undefined
    ? null
    : { ...row, height: Number(row.height), units: BigInt(row.units) };
}

const findOptIn = statement<{ readonly id: string }>(
  "activation.find-opt-in",
  `select id from spend where chain = $1 and sender = $2 and kind = 'opt_in' and state in ('open', 'included')
     and purpose -> 'asset' = $3::jsonb limit 1`,
);

/** Whether a transaction by which the account accepts the asset is on its way. */
export async function isOptingIn(
  db: Executor,
  chain: string,
  sender: string,
  asset: object,
): Promise<boolean> {
  return (await db.query(findOptIn, [chain, sender, JSON.stringify(asset)])).length > 0;
}

const hold = statement<never>(
  "activation.hold",
  `insert into holding (chain, watch_key, currency, account_id, wallet_id, key_index, units, changed_at_height)
   values ($1, $2, $3, $4, $5, $6, 0, 0) on conflict do nothing`,
);

/** Has comparisons of ledger and chain read the address's coin, which it keeps forever. */
export async function holdNothing(
  tx: Executor,
  chain: string,
  coin: CurrencyId,
  { watchKey, accountId, walletId, keyIndex }: InactiveAddress,
): Promise<void> {
  await tx.query(hold, [chain, watchKey, coin, accountId, walletId, keyIndex]);
}
