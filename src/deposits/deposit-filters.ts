import { walletTypes } from "../accounts/wallets/wallet.ts";
import type { SortColumn } from "../platform/db/keyset.ts";
import type { SqlFilter } from "../platform/db/list-query.ts";
import { isObjectId } from "../platform/kernel/object-id.ts";
import {
  choice,
  containedText,
  decimalNumber,
  exactText,
  timeBound,
  wholeNumber,
} from "../platform/resources/filters.ts";
import { depositStates } from "./deposit-state.ts";
import { depositStatuses } from "./deposit-status.ts";

/** The same expression as the index `deposit_by_amounts`. */
const among = `array_remove(array_remove(array[d.target_amount_requested, d.source_amount_requested, d.target_paid,
  d.target_paid_pending, d.enrolled, d.commission, d.source_paid, d.source_paid_pending, d.source_commission], null), 0)`;
const target = (column: string) =>
  ({ kind: "decimal", units: column, exp: { currency: "d.wallet_currency" }, among }) as const;
const source = (column: string) =>
  ({ kind: "decimal", units: column, exp: { currency: "d.currency" }, among }) as const;

/** The filters of the deposit list: the values that each accepts, and the rows of `deposit as d` that it selects. */
export const depositFilters = {
  currency: { ...wholeNumber(8), kind: "text", sql: "d.currency" },
  wallet: { ...exactText(), kind: "id", sql: "d.wallet_id" },
  wallet_from: {
    ...exactText(64),
    kind: "custom",
    predicate: (bind, text) => (isObjectId(text) ? paidBy(`${bind(text)}::bigint`) : null),
  },
  wallet_to: {
    ...exactText(64),
    kind: "custom",
    predicate: (bind, text) => (isObjectId(text) ? `d.wallet_id = ${bind(text)}` : null),
  },
  wallet_type: { ...choice(walletTypes), kind: "integer", sql: "d.wallet_type" },
  id: { ...wholeNumber(8), kind: "id", sql: "d.id" },
  created_at_from: { ...timeBound(), kind: "from", sql: "d.created_at" },
  created_at_to: { ...timeBound(), kind: "to", sql: "d.created_at" },
  updated_at_from: { ...timeBound(), kind: "from", sql: "d.updated_at" },
  updated_at_to: {
    ...timeBound(),
    kind: "to",
    sql: "d.updated_at",
    notLater: "d.created_at",
  },
  label: { ...containedText(32), kind: "contains", sql: "d.label" },
  tracking_id: { ...containedText(128), kind: "contains", sql: "d.tracking_id" },
  commission: { ...decimalNumber(32), ...target("d.commission") },
  // The list reads other spellings too; see `listDepositRows`.
  address: { ...exactText(256), kind: "text", sql: "d.address" },
  confirmations_needed: { ...wholeNumber(2), kind: "integer", sql: "d.confirmations_needed" },
  help_email: { ...exactText(64), kind: "text", sql: "d.help_email" },
  status: { ...choice(depositStatuses), kind: "integer", sql: "d.status" },
  state: { ...choice(depositStates), kind: "text", sql: "d.state" },
  time_limit: { ...wholeNumber(8), kind: "integer", sql: "d.time_limit" },
  inaccuracy: {
    ...containedText(32),
    kind: "decimalContains",
    units: "d.inaccuracy",
    exp: { currency: "d.wallet_currency" },
  },
  target_amount_requested: { ...exactText(32), ...target("d.target_amount_requested") },
  rate_requested: {
    ...exactText(32),
    kind: "decimal",
    units: "d.rate",
    exp: { column: "d.rate_exp" },
  },
  expired_at_from: { ...timeBound(64), kind: "from", sql: "d.expires_at" },
  expired_at_to: {
    ...timeBound(64),
    kind: "to",
    sql: "d.expires_at",
    notLater: "d.created_at",
  },
  target_paid: { ...exactText(64), ...target("d.target_paid") },
  enrolled: { ...exactText(64), ...target("d.enrolled") },
  target_paid_pending: { ...exactText(64), ...target("d.target_paid_pending") },
  source_paid_pending: { ...exactText(64), ...source("d.source_paid_pending") },
  source_paid: { ...exactText(64), ...source("d.source_paid") },
  source_commission: { ...exactText(64), ...source("d.source_commission") },
  source_amount_requested: { ...exactText(64), ...source("d.source_amount_requested") },
} as const satisfies Readonly<Record<string, SqlFilter>>;

/** The columns that the deposit list sorts by. Deposits without a label or tracking id come first in ascending order. */
export const depositSort = {
  id: { sql: "d.id", type: "bigint" },
  created_at: { sql: "d.created_at", type: "timestamptz" },
  updated_at: { sql: "d.updated_at", type: "timestamptz" },
  status: { sql: "d.status", type: "integer" },
  label: { sql: "coalesce(d.label, '')", type: "text" },
  tracking_id: { sql: "coalesce(d.tracking_id, '')", type: "text" },
} as const satisfies Readonly<Record<string, SortColumn>>;

/** Deposits that a wallet of the same account paid off-chain; wallets of other accounts are not revealed. */
function paidBy(wallet: string): string {
  return `(d.account_id, d.id) in (select p.account_id, p.target_deposit_id from payout p
    where p.wallet_id = ${wallet} and p.target_deposit_id is not null and p.stage = 'internal')`;
}
