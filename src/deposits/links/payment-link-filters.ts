import type { SortColumn } from "../../platform/db/keyset.ts";
import type { SqlFilter } from "../../platform/db/list-query.ts";
import {
  containedText,
  timeBound,
  wholeNumber,
  yesOrNo,
} from "../../platform/resources/filters.ts";

/** The filters of the list of payment links: what each accepts, and which rows of `payment_link as l` it selects. */
export const linkFilters = {
  id: { ...wholeNumber(18), kind: "id", sql: "l.id" },
  name: { ...containedText(64), kind: "contains", sql: "l.name" },
  wallet: { ...wholeNumber(18), kind: "id", sql: "l.wallet_id" },
  is_active: { ...yesOrNo, kind: "boolean", sql: "l.is_active" },
  created_at_from: { ...timeBound(), kind: "from", sql: "l.created_at" },
  created_at_to: { ...timeBound(), kind: "to", sql: "l.created_at" },
} as const satisfies Readonly<Record<string, SqlFilter>>;

/** The columns that the list sorts by. */
export const linkSort = {
  id: { sql: "l.id", type: "bigint" },
  name: { sql: "l.name", type: "text" },
  created_at: { sql: "l.created_at", type: "timestamptz" },
} as const satisfies Readonly<Record<string, SortColumn>>;
