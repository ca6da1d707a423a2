import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { accountScope } from "../../platform/db/account-scope.ts";
import {
  columnDefinitions,
  columnList,
  type RecordOf,
  type Row,
  writeRecord,
} from "../../platform/db/columns.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import { fetchPage, type ListSql } from "../../platform/db/list-query.ts";
import { present } from "../../platform/kernel/assert.ts";
import { type ListQuery, mapPage, type Page } from "../../platform/kernel/list-query.ts";
import { newWalletFields, type Wallet, walletFields, walletFromRow } from "./wallet.ts";
import { walletFilters, walletSort } from "./wallet-filters.ts";

const columns = columnList(walletFields, "w", {
  available: "b.available",
  pending: "b.pending",
  unusable: "least(b.unusable, b.available)",
});

const tables =
  "wallet w join wallet_balance b on b.account_id = w.account_id and b.wallet_id = w.id";

const insert = statement<{ id: string }>(
  "wallet.insert",
  `with fresh as (
     insert into wallet (${columnList(newWalletFields)})
     select * from json_to_record($1::json) as w (${columnDefinitions(newWalletFields)}) returning account_id, id)
   insert into wallet_balance (account_id, wallet_id) select account_id, id from fresh
   returning wallet_id as id`,
);

const selectById = statement<Row>(
  "wallet.by-id",
  `select ${columns} from ${tables} where w.account_id = $1 and w.id = $2`,
);

const exists = statement<never>(
  "wallet.exists",
  "select from wallet where account_id = $1 and id = $2",
);

const selectByIds = statement<Row>(
  "wallet.by-ids",
  `select ${columns} from ${tables} where w.account_id = $1 and w.id = any($2::bigint[])`,
);

const updateLabel = statement(
  "wallet.relabel",
  "update wallet set label = $3 where account_id = $1 and id = $2",
);

const activate = statement<{ id: string }>(
  "wallet.activate",
  `update wallet set status = 3
   where account_id = $1 and id = $2 and not needs_activation returning id`,
);

const list: ListSql = {
  name: "wallet.list",
  select: columns,
  from: tables,
  filters: walletFilters,
  indexed: "created_at",
  sort: walletSort,
};

/** Stores the wallet with an empty balance and returns its id. */
export async function storeWallet(
  db: Executor,
  wallet: RecordOf<typeof newWalletFields>,
): Promise<string> {
  const [row] = await db.query(insert, [JSON.stringify(writeRecord(newWalletFields, wallet))]);
  return present(row, "the new wallet").id;
}

/** The wallet with this id; null when the account has none. */
export async function readWallet(
  db: Executor,
  currencies: CurrencyRegistry,
  accountId: string,
  id: string,
): Promise<Wallet | null> {
  const [row] = await db.query(selectById, [accountId, id]);
  return row === undefined ? null : walletFromRow(row, currencies);
}

/** Whether the account has this wallet. */
export async function isWalletOf(
  db: Executor,
  { accountId }: { readonly accountId: string },
  id: string,
): Promise<boolean> {
  return (await db.query(exists, [accountId, id])).length > 0;
}

/** The account's wallets among `ids`. */
export async function readWallets(
  db: Executor,
  currencies: CurrencyRegistry,
  accountId: string,
  ids: readonly string[],
): Promise<readonly Wallet[]> {
  const rows = await db.query(selectByIds, [accountId, ids]);
  return rows.map((row) => walletFromRow(row, currencies));
}

/** One page of an account's wallets; `wallets` null: all of them. */
export async function listWalletRows(
  db: Executor,
  accountId: string,
  wallets: readonly string[] | null,
  query: ListQuery,
  currencies: CurrencyRegistry,
): Promise<Page<Wallet>> {
  const scope = accountScope({ account: "w.account_id", wallet: "w.id" }, accountId, wallets);
  const page = await fetchPage<Row>(db, list, scope, query);
  return mapPage(page, (row) => walletFromRow(row, currencies));
}

/** Sets the label of the wallet. */
export async function storeLabel(
  db: Executor,
  accountId: string,
  id: string,
  label: string,
): Promise<void> {
  await db.query(updateLabel, [accountId, id, label]);
}

/** Activates the wallet. False while its activation transfer has not arrived. */
export async function storeActivation(
  db: Executor,
  accountId: string,
  id: string,
): Promise<boolean> {
  return (await db.query(activate, [accountId, id])).length === 1;
}
