import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { accountScope } from "../../platform/db/account-scope.ts";
import type { Row as TableRow } from "../../platform/db/columns.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import { fetchPage, type ListSql } from "../../platform/db/list-query.ts";
import { type ListQuery, mapPage, type Page } from "../../platform/kernel/list-query.ts";
import type { HeldTransfer, TransferWithTip } from "./transfer.ts";
import { anyTransferColumns, anyTransferFromRow } from "./transfer.ts";
import { transferFilters, transferSort } from "./transfer-filters.ts";

type Row = TableRow & { readonly tip_height: string | null; readonly tracking_id: string | null };

const from = "transfer t left join chain_cursor c on c.chain = t.chain";
const select = `${anyTransferColumns}, c.height as tip_height,
  coalesce((select d.tracking_id from deposit d where d.account_id = t.account_id and d.id = t.deposit_id),
    (select p.tracking_id from payout p where p.account_id = t.account_id and p.id = t.payout_id)) as tracking_id`;

const transferList: ListSql = {
  name: "transfer.list",
  select,
  from,
  filters: transferFilters,
  indexed: "created_at",
  count: { from: "transfer t", unless: "c." },
  sort: transferSort,
};

/** One page of an account's transfers; `wallets` null: of all its wallets. */
export async function listTransferRows(
  db: Executor,
  accountId: string,
  wallets: readonly string[] | null,
  query: ListQuery,
  currencies: CurrencyRegistry,
): Promise<Page<TransferWithTip>> {
  const owner = { account: "t.account_id", wallet: "t.wallet_id" };
  const scope = accountScope(owner, accountId, wallets);
  return mapPage(await fetchPage<Row>(db, transferList, scope, query, currencies.all), fromRow);
}

const readOne = statement<Row>(
  "transfer.read-one",
  `select ${select} from ${from} where t.account_id = $1 and t.id = $2`,
);

/** Null when the account has no such transfer. */
export async function readTransferRow(
  db: Executor,
  accountId: string,
  id: string,
): Promise<TransferWithTip | null> {
  const [row] = await db.query(readOne, [accountId, id]);
  return row === undefined ? null : fromRow(row);
}

const accountOf = statement<{ readonly account_id: string }>(
  "transfer.account",
  "select account_id from transfer where id = $1",
);

/** The account of a transfer; null without such a transfer. */
export async function readTransferAccount(db: Executor, id: string): Promise<string | null> {
  return (await db.query(accountOf, [id]))[0]?.account_id ?? null;
}

type HeldRow = Row & { readonly account_name: string; readonly address: string | null };

// The maximum shown at once; the oldest come first.
const selectHeld = statement<HeldRow>(
  "transfer.held",
  `select ${select}, a.name as account_name,
          coalesce(p.address, (select d.address from deposit d where d.account_id = t.account_id and d.id = t.deposit_id))
            as address
   from ${from} join account a on a.id = t.account_id
   left join payout p on p.account_id = t.account_id and p.id = t.payout_id
   where t.status = -2 and t.disposition in ('blocked', 'payout')
   order by t.created_at, t.id limit 500`,
);

/** The oldest 500 transfers of all accounts that screening and policy hold. */
export async function readHeldTransfers(db: Executor): Promise<readonly HeldTransfer[]> {
  const rows = await db.query(selectHeld);
  return rows.map((row) => ({
    ...fromRow(row),
    accountName: row.account_name,
    address: row.address,
  }));
}

function fromRow(row: Row): TransferWithTip {
  return {
    transfer: anyTransferFromRow(row),
    tipHeight: row.tip_height === null ? null : Number(row.tip_height),
    trackingId: row.tracking_id,
  };
}
