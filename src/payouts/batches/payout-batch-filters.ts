import type { SortColumn } from "../../platform/db/keyset.ts";
import type { SqlFilter } from "../../platform/db/list-query.ts";
import { containedText, timeBound, wholeNumber } from "../../platform/resources/filters.ts";

/** The filters of the batch list: what each accepts, and which rows of `payout_batch as b` it selects. */
export const batchFilters = {
  id: { ...wholeNumber(18), kind: "id", sql: "b.id" },
  reference: { ...containedText(64), kind: "contains", sql: "b.reference" },
  wallet: { ...wholeNumber(18), kind: "id", sql: "b.wallet_id" },
  created_at_from: { ...timeBound(), kind: "from", sql: "b.created_at" },
  created_at_to: { ...timeBound(), kind: "to", sql: "b.created_at" },
} as const satisfies Readonly<Record<string, SqlFilter>>;

/** The columns that the list sorts by. */
export const batchSort = {
  id: { sql: "b.id", type: "bigint" },
  created_at: { sql: "b.created_at", type: "timestamptz" },
} as const satisfies Readonly<Record<string, SortColumn>>;
