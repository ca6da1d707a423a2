import { addressFilter } from "../currencies/address-filter.ts";
import type { CurrencyRegistry } from "../currencies/registry.ts";
import { accountScope } from "../platform/db/account-scope.ts";
import { type Executor, statement } from "../platform/db/database.ts";
import { inPlace } from "../platform/db/in-place.ts";
import { fetchPage, type ListSql } from "../platform/db/list-query.ts";
import { microBatch } from "../platform/db/micro-batch.ts";
import { type ListQuery, mapPage, type Page } from "../platform/kernel/list-query.ts";
import { isObjectId } from "../platform/kernel/object-id.ts";
import type { Deposit } from "./deposit.ts";
import { type DepositRow, depositColumns, depositFromRow } from "./deposit-row.ts";

const targetExp = { currency: "d.wallet_currency" };
const sourceExp = { currency: "d.currency" };

const depositList: ListSql = {
  name: "deposit.list",
  select: depositColumns,
  from: "deposit d",
  filters: {
    id: { kind: "id", sql: "d.id" },
    currency: { kind: "text", sql: "d.currency" },
    wallet: { kind: "id", sql: "d.wallet_id" },
    wallet_from: {
      kind: "custom",
      predicate: (bind, text) => (isObjectId(text) ? cameFrom(`${bind(text)}::bigint`) : null),
    },
    wallet_to: {
      kind: "custom",
      predicate: (bind, text) => (isObjectId(text) ? `d.wallet_id = ${bind(text)}` : null),
    },
    wallet_type: { kind: "integer", sql: "d.wallet_type" },
    created_at_from: { kind: "from", sql: "d.created_at" },
    created_at_to: { kind: "to", sql: "d.created_at" },
    updated_at_from: { kind: "from", sql: "d.updated_at" },
    updated_at_to: { kind: "to", sql: "d.updated_at" },
    expired_at_from: { kind: "from", sql: "d.expires_at" },
    expired_at_to: { kind: "to", sql: "d.expires_at" },
    label: { kind: "contains", sql: "d.label" },
    tracking_id: { kind: "contains", sql: "d.tracking_id" },
    address: addressFilter("d.address"),
    confirmations_needed: { kind: "integer", sql: "d.confirmations_needed" },
    help_email: { kind: "text", sql: "d.help_email" },
    status: { kind: "integer", sql: "d.status" },
    time_limit: { kind: "integer", sql: "d.time_limit" },
    inaccuracy: { kind: "decimalContains", units: "d.inaccuracy", exp: targetExp },
    target_amount_requested: {
      kind: "decimal",
      units: "d.target_amount_requested",
      exp: targetExp,
    },
    rate_requested: { kind: "decimal", units: "d.rate", exp: { column: "d.rate_exp" } },
    target_paid: { kind: "decimal", units: "d.target_paid", exp: targetExp },
    target_paid_pending: { kind: "decimal", units: "d.target_paid_pending", exp: targetExp },
    enrolled: { kind: "decimal", units: "d.enrolled", exp: targetExp },
    commission: { kind: "decimal", units: "d.commission", exp: targetExp },
    source_paid: { kind: "decimal", units: "d.source_paid", exp: sourceExp },
    source_paid_pending: { kind: "decimal", units: "d.source_paid_pending", exp: sourceExp },
    source_commission: { kind: "decimal", units: "d.source_commission", exp: sourceExp },
    source_amount_requested: {
      kind: "decimal",
      units: "d.source_amount_requested",
      exp: sourceExp,
    },
  },
  indexed: "created_at",
  sort: {
    id: { sql: "d.id", type: "bigint" },
    created_at: { sql: "d.created_at", type: "timestamptz" },
    updated_at: { sql: "d.updated_at", type: "timestamptz" },
    status: { sql: "d.status", type: "integer" },
    label: { sql: "d.label", type: "text", isNullable: true },
    tracking_id: { sql: "d.tracking_id", type: "text", isNullable: true },
  },
};

/** A wallet of the same account paid it, without the chain; other accounts' wallets stay unknown. */
function cameFrom(wallet: string): string {
  return `exists (select from payout p where p.account_id = d.account_id and p.target_deposit_id = d.id
    and p.wallet_id = ${wallet} and p.stage = 'internal')`;
}

/** One page of an account's deposits; `wallets` null: of all its wallets. */
export async function listDepositRows(
  db: Executor,
  accountId: string,
  wallets: readonly string[] | null,
  query: ListQuery,
  currencies: CurrencyRegistry,
): Promise<Page<Deposit>> {
  const owner = { account: "d.account_id", wallet: "d.wallet_id" };
  const scope = accountScope(owner, accountId, wallets);
  const page = await fetchPage<DepositRow>(db, depositList, scope, query, currencies.all);
  return mapPage(page, depositFromRow);
}

/** The deposit of an account; null when it has none of that id. Calls made at the same moment share a statement. */
export type FindDeposit = (key: {
  readonly accountId: string;
  readonly id: string;
}) => Promise<Deposit | null>;

/** Deposits that are asked for at the same moment share a statement. */
export function createFindDeposit(db: Executor): FindDeposit {
  return microBatch(
    async (keys) => {
      const rows = await db.query(readMany, [
        keys.map((key) => key.accountId),
        keys.map((key) => key.id),
      ]);
      return inPlace(keys, rows, (row) => (row === null ? null : depositFromRow(row)));
    },
    { slots: 2, maxSize: 100 },
  );
}

const readMany = statement<DepositRow & { readonly place: string }>(
  "deposit.read-many",
  `select input.place, ${depositColumns}
   from unnest($1::bigint[], $2::bigint[]) with ordinality as input (account_id, id, place)
   join deposit d on d.account_id = input.account_id and d.id = input.id`,
);

const readOne = statement<DepositRow>(
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
