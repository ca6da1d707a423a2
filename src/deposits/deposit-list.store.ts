import { addressFilter, type ListReading } from "../currencies/address-filter.ts";
import { accountScope } from "../platform/db/account-scope.ts";
import { answersByPlace } from "../platform/db/answers-by-place.ts";
import type { Row } from "../platform/db/columns.ts";
import { type Executor, type Statement, statement } from "../platform/db/database.ts";
import { fetchPage, type ListSql } from "../platform/db/list-query.ts";
import { microBatch } from "../platform/db/micro-batch.ts";
import { type ListQuery, mapPage, type Page } from "../platform/kernel/list-query.ts";
import type { Deposit } from "./deposit.ts";
import { depositColumns, depositFromRow } from "./deposit.ts";
import { depositFilters, depositSort } from "./deposit-filters.ts";

/**
 * A deposit and the version of its row: PostgreSQL's `xmin`, the number of the transaction that wrote the row. Every change writes the
 * row again, so equal versions mean equal rows.
 */
export type DepositVersion = { readonly id: string; readonly version: string };

const version = "d.xmin::text as version";

const depositList = {
  from: "deposit d",
  filters: depositFilters,
  indexed: "created_at",
  indexedFilter: "state",
  sort: depositSort,
} as const;
const wholeDeposits: ListSql = { ...depositList, name: "deposit.list", select: depositColumns };
const depositVersions: ListSql = {
  ...depositList,
  name: "deposit.list-versions",
  select: `d.id, ${version}`,
};

/** Which deposits of an account are listed; `wallets` null: of all its wallets. */
export type Listed = {
  readonly accountId: string;
  readonly wallets: readonly string[] | null;
  readonly query: ListQuery;
};

/** One page of an account's deposits. */
export async function listDepositRows(
  db: Executor,
  listed: Listed,
  reading: ListReading,
): Promise<Page<Deposit>> {
  return mapPage(await fetchDeposits<Row>(db, wholeDeposits, listed, reading), depositFromRow);
}

/** The same page with the version of each row. */
export function listDepositVersions(
  db: Executor,
  listed: Listed,
  reading: ListReading,
): Promise<Page<DepositVersion>> {
  return fetchDeposits<DepositVersion>(db, depositVersions, listed, reading);
}

function fetchDeposits<Found>(
  db: Executor,
  list: ListSql,
  { accountId, wallets, query }: Listed,
  { currencies, readAddresses }: ListReading,
): Promise<Page<Found>> {
  const owner = { account: "d.account_id", wallet: "d.wallet_id" };
  const scope = accountScope(owner, accountId, wallets);
  const address = addressFilter({ address: "d.address", tag: "d.tag" }, readAddresses);
  const filters = { ...depositFilters, address };
  return fetchPage<Found>(db, { ...list, filters }, scope, query, currencies.all);
}

type Key = { readonly accountId: string; readonly id: string };

export type FoundDeposit = { readonly version: string; readonly deposit: Deposit };
type FoundRow = Row & { readonly version: string };

function foundFromRow(row: FoundRow): FoundDeposit {
  return { version: row.version, deposit: depositFromRow(row) };
}

/** A deposit of an account; null when the account has no such deposit. Concurrent calls share a statement. */
export type FindDeposit = (key: Key) => Promise<FoundDeposit | null>;

/** Reads deposits for several callers in one statement. */
export function createFindDeposit(db: Executor): FindDeposit {
  return findMany(db, readMany, foundFromRow);
}

/** The version of a deposit's row; null when the account has no such deposit. Concurrent calls share a statement. */
export function createFindVersion(db: Executor): (key: Key) => Promise<string | null> {
  return findMany(db, readVersions, ({ version }) => version);
}

function findMany<Found extends { readonly place: string }, Answer>(
  db: Executor,
  reading: Statement<Found>,
  answer: (row: Found) => Answer,
): (key: Key) => Promise<Answer | null> {
  return microBatch(
    async (keys) => {
      const rows = await db.query(reading, [
        keys.map((key) => key.accountId),
        keys.map((key) => key.id),
      ]);
      return answersByPlace(keys, rows, (row) => (row === null ? null : answer(row)));
    },
    { slots: 2, maxSize: 100 },
  );
}

const asked = `unnest($1::bigint[], $2::bigint[]) with ordinality as input (account_id, id, place)
   join deposit d on d.account_id = input.account_id and d.id = input.id`;

const readMany = statement<FoundRow & { readonly place: string }>(
  "deposit.read-many",
  `select input.place, ${version}, ${depositColumns} from ${asked}`,
);

const readVersions = statement<{ readonly place: string; readonly version: string }>(
  "deposit.read-versions",
  `select input.place, ${version} from ${asked}`,
);

const readListed = statement<FoundRow>(
  "deposit.read-listed",
  `select ${version}, ${depositColumns} from deposit d where d.account_id = $1 and d.id = any($2::bigint[])`,
);

/** These deposits of an account, in any order, those that exist. */
export async function readDepositRows(
  db: Executor,
  accountId: string,
  ids: readonly string[],
): Promise<readonly FoundDeposit[]> {
  return (await db.query(readListed, [accountId, ids])).map(foundFromRow);
}

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
