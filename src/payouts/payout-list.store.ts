import { addressFilter } from "../currencies/address-filter.ts";
import type { CurrencyRegistry } from "../currencies/registry.ts";
import { accountScope } from "../platform/db/account-scope.ts";
import { type Executor, statement } from "../platform/db/database.ts";
import { type Bind, type FilterSql, fetchPage, type ListSql } from "../platform/db/list-query.ts";
import { type ListQuery, mapPage, type Page } from "../platform/kernel/list-query.ts";
import { isObjectId } from "../platform/kernel/object-id.ts";
import type { Payout } from "./payout.ts";
import { type PayoutRow, payoutColumns, payoutFromRow, payoutTables } from "./payout-row.ts";

const paymentExp = { currency: "p.currency" };
const lacking: FilterSql = { kind: "nothing" };

const payoutList = (currencies: CurrencyRegistry): ListSql => ({
  name: "payout.list",
  select: payoutColumns,
  from: payoutTables,
  filters: {
    id: { kind: "id", sql: "p.id" },
    currency: { kind: "text", sql: "p.currency" },
    wallet: { kind: "id", sql: "p.wallet_id" },
    wallet_from: {
      kind: "custom",
      predicate: (bind, text) => (isObjectId(text) ? `p.wallet_id = ${bind(text)}::bigint` : null),
    },
    wallet_to: {
      kind: "custom",
      predicate: (bind, text) => (isObjectId(text) ? wentTo(`${bind(text)}::bigint`) : null),
    },
    wallet_type: { kind: "integer", sql: "p.wallet_type" },
    created_at_from: { kind: "from", sql: "p.created_at" },
    created_at_to: { kind: "to", sql: "p.created_at" },
    updated_at_from: { kind: "from", sql: "p.updated_at" },
    updated_at_to: { kind: "to", sql: "p.updated_at" },
    label: { kind: "contains", sql: "p.label" },
    tracking_id: { kind: "contains", sql: "p.tracking_id" },
    address: addressFilter("p.address"),
    confirmations_needed: { kind: "integer", sql: "p.confirmations_needed" },
    status: { kind: "integer", sql: "p.status" },
    rate_requested: { kind: "decimal", units: "p.rate", exp: { column: "p.rate_exp" } },
    is_fee_included: { kind: "boolean", sql: "p.is_fee_included" },
    amount: { kind: "decimal", units: "p.units", exp: paymentExp },
    charged: {
      kind: "decimalContains",
      units: "p.charged_units",
      exp: { currency: "p.wallet_currency" },
    },
    commission: {
      kind: "custom",
      predicate: (bind, text) => hasCommission(bind, text, currencies),
    },
    source_commission: { kind: "decimal", units: "p.commission_units", exp: paymentExp },
    // Filters of deposits: valid here, but they match nothing.
    help_email: lacking,
    time_limit: lacking,
    inaccuracy: lacking,
    expired_at_from: lacking,
    expired_at_to: lacking,
    target_amount_requested: lacking,
    target_paid: lacking,
    target_paid_pending: lacking,
    source_amount_requested: lacking,
    source_paid: lacking,
    source_paid_pending: lacking,
    enrolled: lacking,
  },
  indexed: "created_at",
  sort: {
    id: { sql: "p.id", type: "bigint" },
    created_at: { sql: "p.created_at", type: "timestamptz" },
    updated_at: { sql: "p.updated_at", type: "timestamptz" },
    status: { sql: "p.status", type: "integer" },
    label: { sql: "p.label", type: "text", isNullable: true },
    tracking_id: { sql: "p.tracking_id", type: "text", isNullable: true },
  },
});

/**
 * Payouts received by a wallet of the same account, directly or through a deposit. Wallets of other accounts never
 * match.
 */
function wentTo(wallet: string): string {
  return `(p.target_wallet_id = ${wallet} or exists (select from deposit d
    where d.account_id = p.account_id and d.id = p.target_deposit_id and d.wallet_id = ${wallet}))`;
}

/** The commission charged to the wallet, converted at the payout's rate and rounded up; compared by value. */
function hasCommission(bind: Bind, text: string, currencies: CurrencyRegistry): string {
  const table = `unnest(${bind(currencies.all.map(({ id }) => id))}::text[], ${bind(currencies.all.map(({ exp }) => exp))}::integer[])`;
  const power = (exp: string): string => `('1e' || (${exp}))::numeric`;
  const numerator = `(p.commission_units * p.rate * ${power("right_side.exp")})`;
  const denominator = power("left_side.exp + p.rate_exp");
  const charged = `div(${numerator} + ${denominator} - 1, ${denominator})`;
  return `exists (select from ${table} as left_side (id, exp) cross join ${table} as right_side (id, exp)
    where left_side.id = p.currency and right_side.id = p.wallet_currency
      and ${charged} = ${bind(text)}::numeric * ${power("right_side.exp")})`;
}

/** A page of an account's payouts; `wallets` null includes all its wallets. */
export async function listPayoutRows(
  db: Executor,
  accountId: string,
  wallets: readonly string[] | null,
  query: ListQuery,
  currencies: CurrencyRegistry,
): Promise<Page<Payout>> {
  const owner = { account: "p.account_id", wallet: "p.wallet_id" };
  const scope = accountScope(owner, accountId, wallets);
  const page = await fetchPage<PayoutRow>(db, payoutList(currencies), scope, query, currencies.all);
  return mapPage(page, payoutFromRow);
}

const readOne = statement<PayoutRow>(
  "payout.read-one",
  `select ${payoutColumns} from ${payoutTables} where p.account_id = $1 and p.id = $2`,
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

const readByTransfer = statement<PayoutRow>(
  "payout.read-by-transfer",
  `select ${payoutColumns} from transfer t join ${payoutTables} on p.account_id = t.account_id and p.id = t.payout_id
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
