import { type Executor, statement } from "../platform/db/database.ts";

type Missing = {
  readonly accountId: string;
  readonly id: string;
  readonly objectType: "deposit" | "payout";
  readonly objectId: string;
};

const findMissing = statement<Missing>(
  "callback-wallets.find",
  `select account_id as "accountId", id, object_type as "objectType", object_id as "objectId" from callback
   where wallet_id is null and object_type in ('deposit', 'payout') and (account_id, id) > ($1, $2)
   order by account_id, id limit $3`,
);

type Wallet = { readonly place: string; readonly walletId: string };

/** Read by themselves: callbacks may be distributed, deposits and payouts are not. */
const findWallets = statement<Wallet>(
  "callback-wallets.of-objects",
  `select input.place, coalesce(deposit.wallet_id, payout.wallet_id) as "walletId"
   from unnest($1::bigint[], $2::text[], $3::bigint[]) with ordinality as input (account_id, object_type, object_id, place)
   left join deposit on input.object_type = 'deposit' and deposit.account_id = input.account_id and deposit.id = input.object_id
   left join payout on input.object_type = 'payout' and payout.account_id = input.account_id and payout.id = input.object_id
   where coalesce(deposit.wallet_id, payout.wallet_id) is not null`,
);

const fillWallets = statement<never>(
  "callback-wallets.fill",
  `update callback set wallet_id = input.wallet_id
   from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as input (account_id, id, wallet_id)
   where callback.account_id = input.account_id and callback.id = input.id and callback.wallet_id is null`,
  { mayWait: true },
);

const batchSize = 500;

/**
 * Fills in the wallets of callbacks written by processes from before migration 0028. Each batch is committed by itself, so an
 * interrupted run keeps what it has filled.
 */
export async function fillCallbackWallets(db: Executor, signal: AbortSignal): Promise<void> {
  let last: Pick<Missing, "accountId" | "id"> | undefined = { accountId: "0", id: "0" };
  while (last !== undefined && !signal.aborted) {
    const missing: readonly Missing[] = await db.query(findMissing, [
      last.accountId,
      last.id,
      batchSize,
    ]);
    const wallets = await db.query(findWallets, [
      missing.map(({ accountId }) => accountId),
      missing.map(({ objectType }) => objectType),
      missing.map(({ objectId }) => objectId),
    ]);
    const found = wallets.flatMap(({ place, walletId }) => {
      const callback = missing[Number(place) - 1];
      return callback === undefined ? [] : [{ ...callback, walletId }];
    });
    await db.query(fillWallets, [
      found.map(({ accountId }) => accountId),
      found.map(({ id }) => id),
      found.map(({ walletId }) => walletId),
    ]);
    last = missing.length === batchSize ? missing.at(-1) : undefined;
  }
}
