import { addressFilter, type ListReading } from "../currencies/address-filter.ts";
import { accountScope } from "../platform/db/account-scope.ts";
import { answersByPlace } from "../platform/db/answers-by-place.ts";
import type { Row } from "../platform/db/columns.ts";
import { type Executor, statement } from "../platform/db/database.ts";
import { fetchPage, type ListSql } from "../platform/db/list-query.ts";
import { microBatch } from "../platform/db/micro-batch.ts";
import { type ListQuery, mapPage, type Page } from "../platform/kernel/list-query.ts";
import type { Deposit } from "./deposit.ts";
import { depositColumns, depositFromRow } from "./deposit.ts";
import { depositFilters, depositSort } from "./deposit-filters.ts";

const depositList: ListSql = {
  name: "deposit.list",
  select: depositColumns,
  from: "deposit d",
  filters: depositFilters,
  indexed: "created_at",
  indexedFilter: "state",
  sort: depositSort,
};

/** One page of an account's deposits; `wallets` null: of all its wallets. */
export async function listDepositRows(
  db: Executor,
  accountId: string,
  wallets: readonly string[] | null,
  query: ListQuery,
  { currencies, readAddresses }: ListReading,
): Promise<Page<Deposit>> {
  const owner = { account: "d.account_id", wallet: "d.wallet_id" };
  const scope = accountScope(owner, accountId, wallets);
  const address = addressFilter({ address: "d.address", tag: "d.tag" }, readAddresses);
  const list = { ...depositList, filters: { ...depositFilters, address } };
  const page = await fetchPage<Row>(db, list, scope, query, currencies.all);
  return mapPage(page, depositFromRow);
}

/** A deposit of an account; null when the account has no such deposit. Concurrent calls share a statement. */
export type FindDeposit = (key: {
  readonly accountId: string;
  readonly id: string;
}) => Promise<Deposit | null>;

/** Reads deposits for several callers in one statement. */
export function createFindDeposit(db: Executor): FindDeposit {
  return microBatch(
    async (keys) => {
      const rows = await db.query(readMany, [
        keys.map((key) => key.accountId),
        keys.map((key) => key.id),
      ]);
      return answersByPlace(keys, rows, (row) => (row === null ? null : depositFromRow(row)));
    },
    { slots: 2, maxSize: 100 },
  );
}

const readMany = statement<Row & { readonly place: string }>(
  "deposit.read-many",
  `select input.place, ${depositColumns}
   from unnest($1::bigint[], $2::bigint[]) with ordinality as input (account_id, id, place)
   join deposit d on d.account_id = input.account_id and d.id = input.id`,
);

const readOne = statement<Row>(
  "deposit.read-one",
  `select ${depositColumns} from deposit d where d.account_id = $1 and d.id = $2`,
);

/** Null when the account has no such deposit. */
export async function readDepositRow(
  db: Executor,
  accountId: string,
  id: string,
): Promise<Deposit | null> {
  const [row] = await db.query(readOne, [accountId, id]);
  return row === undefined ? null : depositFromRow(row);
}
