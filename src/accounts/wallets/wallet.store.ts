import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { accountScope } from "../../platform/db/account-scope.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import { fetchPage, type ListSql } from "../../platform/db/list-query.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { type ListQuery, mapPage, type Page } from "../../platform/kernel/list-query.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import type { Wallet, WalletStatus, WalletType } from "./wallet.ts";
import { walletFilters, walletSort } from "./wallet-filters.ts";

type Row = {
  account_id: string;
  id: string;
  type: WalletType;
  currency: string;
  label: string;
  status: WalletStatus;
  needs_activation: boolean;
  destination: JsonObject | null;
  created_at: Instant;
  available: bigint;
  pending: bigint;
  unusable: bigint;
};

const columns = `w.account_id, w.id, w.type, w.currency, w.label, w.status, w.needs_activation,
  w.destination, w.created_at, b.available, b.pending, least(b.unusable, b.available) as unusable`;
const tables =
  "wallet w join wallet_balance b on b.account_id = w.account_id and b.wallet_id = w.id";

const insert = statement<{ id: string }>(
  "wallet.insert",
  `with fresh as (
     insert into wallet (account_id, type, currency, label, status, created_at)
     values ($1, $2, $3, $4, $5, $6) returning account_id, id)
   insert into wallet_balance (account_id, wallet_id) select account_id, id from fresh
   returning wallet_id as id`,
);

const selectById = statement<Row>(
  "wallet.by-id",
  `select ${columns} from ${tables} where w.account_id = $1 and w.id = $2`,
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

export type NewWalletRow = {
  readonly accountId: string;
  readonly type: WalletType;
  readonly currency: string;
  readonly label: string;
  readonly status: WalletStatus;
  readonly createdAt: Instant;
};

/** Stores the wallet with an empty balance and returns its id. */
export async function storeWallet(db: Executor, wallet: NewWalletRow): Promise<string> {
  const [row] = await db.query(insert, [
    wallet.accountId,
    wallet.type,
    wallet.currency,
    wallet.label,
    wallet.status,
    formatTimestamp(wallet.createdAt),
  ]);
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
  return row === undefined ? null : toWallet(row, currencies);
}

/** The account's wallets among `ids`. */
export async function readWallets(
  db: Executor,
  currencies: CurrencyRegistry,
  accountId: string,
  ids: readonly string[],
): Promise<readonly Wallet[]> {
  const rows = await db.query(selectByIds, [accountId, ids]);
  return rows.map((row) => toWallet(row, currencies));
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
  return mapPage(page, (row) => toWallet(row, currencies));
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

function toWallet(row: Row, currencies: CurrencyRegistry): Wallet {
  return {
    accountId: row.account_id,
    id: row.id,
    type: row.type,
    currency: currencies.get(row.currency),
    label: row.label,
    status: row.status,
    needsActivation: row.needs_activation,
    destination: row.destination,
    createdAt: row.created_at,
    balance: { available: row.available, pending: row.pending, unusable: row.unusable },
  };
}
