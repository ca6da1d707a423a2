import type { SortColumn } from "../../platform/db/keyset.ts";
import type { SqlFilter } from "../../platform/db/list-query.ts";
import {
  choice,
  decimalNumber,
  exactText,
  timeBound,
  wholeNumber,
} from "../../platform/resources/filters.ts";

/** The states of a receipt as the API shows them. */
export const shownStates = [
  { value: "waiting", name: "Waiting: an operator has to assign or return it" },
  { value: "assigned", name: "Assigned to a deposit" },
  { value: "returning", name: "Returning: its payout is not final yet" },
  { value: "returned", name: "Returned: its payout is final" },
  { value: "dust", name: "Below the currency's minimum: booked, and never decided on" },
] as const;

export type ShownState = (typeof shownStates)[number]["value"];

/** The shown state, for a select from `unattributed as u`. */
export const shownStateSql = `case when u.state = 'returning' and exists (select from payout p
  where p.account_id = u.account_id and p.id = u.payout_id and p.stage in ('confirmed', 'internal')) then 'returned' else u.state end`;

/** The filters of the list: the values that each accepts, and the rows of `unattributed as u` that it selects. */
export const receiptFilters = {
  id: { ...wholeNumber(18), kind: "id", sql: "u.id" },
  currency: { ...wholeNumber(8), kind: "text", sql: "u.currency" },
  chain: { ...exactText(16), kind: "text", sql: "u.chain" },
  state: { ...choice(shownStates), kind: "text", sql: `(${shownStateSql})` },
  from_address: {
    ...exactText(128),
    kind: "custom",
    predicate: (bind, text) => `u.from_addresses @> array[${bind(text)}::text]`,
  },
  tag: { ...exactText(128), kind: "text", sql: "u.tag" },
  txid: { ...exactText(128), kind: "text", sql: "u.txid" },
  amount: {
    ...decimalNumber(64),
    kind: "decimal",
    units: "u.units",
    exp: { currency: "u.currency" },
  },
  received_at_from: { ...timeBound(), kind: "from", sql: "u.received_at" },
  received_at_to: { ...timeBound(), kind: "to", sql: "u.received_at" },
  created_at_from: { ...timeBound(), kind: "from", sql: "u.created_at" },
  created_at_to: { ...timeBound(), kind: "to", sql: "u.created_at" },
} as const satisfies Readonly<Record<string, SqlFilter>>;

/** The columns that the list sorts by. */
export const receiptSort = {
  id: { sql: "u.id", type: "bigint" },
  created_at: { sql: "u.created_at", type: "timestamptz" },
  received_at: { sql: "u.received_at", type: "timestamptz" },
} as const satisfies Readonly<Record<string, SortColumn>>;
