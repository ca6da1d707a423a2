import { addressFilter, type ListReading } from "../currencies/address-filter.ts";
import { accountScope } from "../platform/db/account-scope.ts";
import type { Row } from "../platform/db/columns.ts";
import { type Executor, statement } from "../platform/db/database.ts";
import { fetchPage, type ListSql } from "../platform/db/list-query.ts";
import { type ListQuery, mapPage, type Page } from "../platform/kernel/list-query.ts";
import { type Payout, payoutColumns, payoutFromRow } from "./payout.ts";
import { payoutFilters, payoutSort } from "./payout-filters.ts";

const payoutList: ListSql = {
  name: "payout.list",
  select: payoutColumns,
  from: "payout p",
  filters: payoutFilters,
  indexed: "created_at",
  indexedFilter: "state",
  sort: payoutSort,
};

/** A page of an account's payouts; `wallets` null includes all its wallets. */
export async function listPayoutRows(
  db: Executor,
  accountId: string,
  wallets: readonly string[] | null,
  query: ListQuery,
  { currencies, readAddresses }: ListReading,
): Promise<Page<Payout>> {
  const owner = { account: "p.account_id", wallet: "p.wallet_id" };
  const scope = accountScope(owner, accountId, wallets);
  const address = addressFilter({ address: "p.address", tag: "p.tag" }, readAddresses);
  const list = { ...payoutList, filters: { ...payoutFilters, address } };
  const page = await fetchPage<Row>(db, list, scope, query, currencies.all);
  return mapPage(page, payoutFromRow);
}

const readOne = statement<Row>(
  "payout.read-one",
  `select ${payoutColumns} from payout p where p.account_id = $1 and p.id = $2`,
);

/** Null if the account has no such payout. */
export async function readPayoutRow(
  db: Executor,
  accountId: string,
  id: string,
): Promise<Payout | null> {
  const [row] = await db.query(readOne, [accountId, id]);
  return row === undefined ? null : payoutFromRow(row);
}

const readByTransfer = statement<Row>(
  "payout.read-by-transfer",
  `select ${payoutColumns} from transfer t join payout p on p.account_id = t.account_id and p.id = t.payout_id
   where t.account_id = $1 and t.id = $2 and t.op_type = 2`,
);

/** The payout that a transfer of the account belongs to, or null. */
export async function readPayoutOfTransfer(
  db: Executor,
  accountId: string,
  transferId: string,
): Promise<Payout | null> {
  const [row] = await db.query(readByTransfer, [accountId, transferId]);
  return row === undefined ? null : payoutFromRow(row);
}

const findTracking = statement<{ readonly id: string }>(
  "payout.find-tracking",
  "select id from payout where account_id = $1 and wallet_id = $2 and tracking_id = $3",
);

/** The id of the wallet's payout with this tracking_id, or null. */
export async function findPayoutByTracking(
  tx: Executor,
  { accountId, walletId }: Pick<Payout, "accountId" | "walletId">,
  trackingId: string,
): Promise<string | null> {
  const [row] = await tx.query(findTracking, [accountId, walletId, trackingId]);
  return row?.id ?? null;
}
