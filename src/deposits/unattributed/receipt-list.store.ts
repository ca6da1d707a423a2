import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Row as TableRow } from "../../platform/db/columns.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import { fetchPage, type ListSql } from "../../platform/db/list-query.ts";
import { type ListQuery, mapPage, type Page } from "../../platform/kernel/list-query.ts";
import { type Receipt, receiptColumns, receiptFromRow } from "./receipt.ts";
import { receiptFilters, receiptSort, type ShownState, shownStateSql } from "./receipt-filters.ts";

/** A receipt as operators see it. */
export type ShownReceipt = {
  readonly receipt: Receipt;
  readonly state: ShownState;
  /** The name of the account that got it; null while nobody has. */
  readonly accountName: string | null;
  /** The height of its chain's tip, from which confirmations are counted. */
  readonly tipHeight: number | null;
};

type Row = TableRow & {
  readonly shown_state: ShownState;
  readonly account_name: string | null;
  readonly tip_height: string | null;
};

const from = `unattributed u left join chain_cursor c on c.chain = u.chain left join account a on a.id = u.account_id`;
const select = `${receiptColumns}, (${shownStateSql}) as shown_state, a.name as account_name, c.height as tip_height`;

const receiptList: ListSql = {
  name: "unattributed.list",
  select,
  from,
  filters: receiptFilters,
  indexed: "created_at",
  sort: receiptSort,
};

/** One page of the deployment's receipts. */
export async function listReceiptRows(
  db: Executor,
  query: ListQuery,
  currencies: CurrencyRegistry,
): Promise<Page<ShownReceipt>> {
  return mapPage(await fetchPage<Row>(db, receiptList, [], query, currencies.all), fromRow);
}

const readOne = statement<Row>(
  "unattributed.read",
  `select ${select} from ${from} where u.id = $1`,
);

/** Null without such a receipt. */
export async function readReceiptRow(db: Executor, id: string): Promise<ShownReceipt | null> {
  const [row] = await db.query(readOne, [id]);
  return row === undefined ? null : fromRow(row);
}

function fromRow(row: Row): ShownReceipt {
  return {
    receipt: receiptFromRow(row),
    state: row.shown_state,
    accountName: row.account_name,
    tipHeight: row.tip_height === null ? null : Number(row.tip_height),
  };
}
