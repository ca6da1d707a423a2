import { walletTypes } from "../accounts/wallets/wallet.ts";
import type { SortColumn } from "../platform/db/keyset.ts";
import type { Bind, CurrencyExps, SqlFilter } from "../platform/db/list-query.ts";
import { isObjectId } from "../platform/kernel/object-id.ts";
import {
  choice,
  containedText,
  decimalNumber,
  exactText,
  timeBound,
  wholeNumber,
  yesOrNo,
} from "../platform/resources/filters.ts";
import { payoutStatuses } from "./payout.ts";
import { payoutStates } from "./payout-state.ts";

/**
 * The filters of the payout list: what each accepts, and which rows of `payout as p` it selects. The interface lists the filters of
 * deposits here too; those without a counterpart match nothing.
 */
export const payoutFilters = {
  currency: { ...wholeNumber(8), kind: "text", sql: "p.currency" },
  wallet: { ...exactText(), kind: "id", sql: "p.wallet_id" },
  wallet_from: {
    ...exactText(64),
    kind: "custom",
    predicate: (bind, text) => (isObjectId(text) ? `p.wallet_id = ${bind(text)}::bigint` : null),
  },
  wallet_to: {
    ...exactText(64),
    kind: "custom",
    predicate: (bind, text) => (isObjectId(text) ? wentTo(`${bind(text)}::bigint`) : null),
  },
  wallet_type: { ...choice(walletTypes), kind: "integer", sql: "p.wallet_type" },
  id: { ...wholeNumber(8), kind: "id", sql: "p.id" },
  created_at_from: { ...timeBound(), kind: "from", sql: "p.created_at" },
  created_at_to: { ...timeBound(), kind: "to", sql: "p.created_at" },
  updated_at_from: { ...timeBound(), kind: "from", sql: "p.updated_at" },
  updated_at_to: {
    ...timeBound(),
    kind: "to",
    sql: "p.updated_at",
    notLater: "p.created_at",
  },
  label: { ...containedText(32), kind: "contains", sql: "p.label" },
  tracking_id: { ...containedText(128), kind: "contains", sql: "p.tracking_id" },
  commission: { ...decimalNumber(32), kind: "custom", predicate: hasCommission },
  // The list reads other spellings too; see `listPayoutRows`.
  address: { ...exactText(), kind: "text", sql: "p.address" },
  confirmations_needed: { ...wholeNumber(2), kind: "integer", sql: "p.confirmations_needed" },
  help_email: { ...exactText(64), kind: "nothing" },
  status: { ...choice(payoutStatuses), kind: "integer", sql: "p.status" },
  state: { ...choice(payoutStates), kind: "text", sql: "p.state" },
  time_limit: { ...wholeNumber(8), kind: "nothing" },
  inaccuracy: { ...containedText(32), kind: "nothing" },
  target_amount_requested: { ...exactText(32), kind: "nothing" },
  rate_requested: {
    ...exactText(32),
    kind: "decimal",
    units: "p.rate",
    exp: { column: "p.rate_exp" },
  },
  expired_at_from: { ...timeBound(64), kind: "nothing" },
  expired_at_to: { ...timeBound(64), kind: "nothing" },
  target_paid: { ...exactText(64), kind: "nothing" },
  enrolled: { ...exactText(64), kind: "nothing" },
  target_paid_pending: { ...exactText(64), kind: "nothing" },
  source_paid_pending: { ...exactText(64), kind: "nothing" },
  source_paid: { ...exactText(64), kind: "nothing" },
  source_commission: {
    ...exactText(64),
    kind: "decimal",
    units: "p.commission_units",
    exp: { currency: "p.currency" },
  },
  source_amount_requested: { ...exactText(64), kind: "nothing" },
  is_fee_included: { ...yesOrNo, kind: "boolean", sql: "p.is_fee_included" },
  amount: {
    ...decimalNumber(),
    kind: "decimal",
    units: "p.units",
    exp: { currency: "p.currency" },
  },
  charged: {
    ...containedText(32),
    kind: "decimalContains",
    units: "p.charged_units",
    exp: { currency: "p.wallet_currency" },
  },
} as const satisfies Readonly<Record<string, SqlFilter>>;

/** The columns that the list sorts by. Payouts without a label or tracking id come first in ascending order. */
export const payoutSort = {
  id: { sql: "p.id", type: "bigint" },
  created_at: { sql: "p.created_at", type: "timestamptz" },
  updated_at: { sql: "p.updated_at", type: "timestamptz" },
  status: { sql: "p.status", type: "integer" },
  label: { sql: "coalesce(p.label, '')", type: "text" },
  tracking_id: { sql: "coalesce(p.tracking_id, '')", type: "text" },
} as const satisfies Readonly<Record<string, SortColumn>>;

/** Payouts that a wallet of the same account received, directly or through a deposit; wallets of other accounts stay unknown. */
function wentTo(wallet: string): string {
  return `(p.account_id, p.id) in (
    select own.account_id, own.id from payout own where own.target_wallet_id = ${wallet}
    union all
    select own.account_id, own.id from payout own join deposit d on d.account_id = own.account_id and d.id = own.target_deposit_id
    where own.target_deposit_id is not null and d.wallet_id = ${wallet})`;
}

/** The commission as the wallet was charged it: at the payout's rate, rounded up, compared by value. */
function hasCommission(bind: Bind, text: string, currencies: CurrencyExps): string {
  const table = `unnest(${bind(currencies.map(({ id }) => id))}::text[], ${bind(currencies.map(({ exp }) => exp))}::integer[])`;
  const power = (exp: string): string => `('1e' || (${exp}))::numeric`;
  const numerator = `(p.commission_units * p.rate * ${power("right_side.exp")})`;
  const denominator = power("left_side.exp + p.rate_exp");
  const charged = `div(${numerator} + ${denominator} - 1, ${denominator})`;
  return `exists (select from ${table} as left_side (id, exp) cross join ${table} as right_side (id, exp)
    where left_side.id = p.currency and right_side.id = p.wallet_currency
      and ${charged} = ${bind(text)}::numeric * ${power("right_side.exp")})`;
}
