import type { SortColumn } from "../../platform/db/keyset.ts";
import type { SqlFilter } from "../../platform/db/list-query.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";
import {
  choice,
  decimalNumber,
  exactText,
  timeBound,
  wholeNumber,
} from "../../platform/resources/filters.ts";
import { operationTypes, riskStatuses, transferStatuses } from "./transfer.ts";

const amount = (units: string) =>
  ({ kind: "decimal", units, exp: { currency: "t.currency" } }) as const;

/** The filters of the transfer list: the values that each accepts, and the rows of `transfer as t` that it selects. */
export const transferFilters = {
  id: { ...wholeNumber(18), kind: "id", sql: "t.id" },
  currency: { ...wholeNumber(8), kind: "text", sql: "t.currency" },
  wallet: { ...exactText(64), kind: "id", sql: "t.wallet_id" },
  // One id or several, separated by commas. Two alternatives, each with its own index.
  op_id: {
    lookup: "exact",
    regexp: "^[1-9][0-9]*(,[1-9][0-9]*)*$",
    expects: "an id, or several ids separated by commas",
    maxLength: 2_000,
    kind: "custom",
    predicate: (bind, text) => {
      const ids = text.split(",").filter(isObjectId);
      if (ids.length === 0) return null;
      const any = `any(string_to_array(${bind(ids.join(","))}, ',')::bigint[])`;
      return `(t.deposit_id = ${any} or t.payout_id = ${any})`;
    },
  },
  op_type: { ...choice(operationTypes), kind: "integer", sql: "t.op_type" },
  status: { ...choice(transferStatuses), kind: "integer", sql: "t.status" },
  // The index begins with the chain.
  txid: {
    ...exactText(128),
    kind: "custom",
    predicate: (bind, text) =>
      `(t.chain, t.txid) in (select followed.chain, ${bind(text)}::text from chain_cursor followed)`,
  },
  risk_status: { ...choice(riskStatuses), kind: "integer", sql: "t.risk_status" },
  amount: { ...decimalNumber(64), ...amount("t.units") },
  // Earlier releases left the commission in the rows of payments that were refunded in full.
  commission: {
    ...decimalNumber(64),
    ...amount("case when t.disposition = 'refunded' then 0 else t.commission_units end"),
  },
  created_at_from: { ...timeBound(), kind: "from", sql: "t.created_at" },
  created_at_to: { ...timeBound(), kind: "to", sql: "t.created_at" },
  updated_at_from: { ...timeBound(), kind: "from", sql: "t.updated_at" },
  updated_at_to: {
    ...timeBound(),
    kind: "to",
    sql: "t.updated_at",
    notLater: "t.created_at",
  },
} as const satisfies Readonly<Record<string, SqlFilter>>;

/** The columns that the list sorts by. */
export const transferSort = {
  id: { sql: "t.id", type: "bigint" },
  created_at: { sql: "t.created_at", type: "timestamptz" },
  updated_at: { sql: "t.updated_at", type: "timestamptz" },
  status: { sql: "t.status", type: "integer" },
} as const satisfies Readonly<Record<string, SortColumn>>;
