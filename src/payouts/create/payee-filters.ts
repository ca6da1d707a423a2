import type { SortColumn } from "../../platform/db/keyset.ts";
import type { SqlFilter } from "../../platform/db/list-query.ts";
import { containedText, exactText } from "../../platform/resources/filters.ts";

/** The filters of the allowlist: what each accepts, and which rows of `address_book as k` it selects. */
export const payeeFilters = {
  chain: { ...exactText(16), kind: "text", sql: "k.chain" },
  address: { ...exactText(128), kind: "text", sql: "k.address" },
  label: { ...containedText(64), kind: "contains", sql: "k.label" },
} as const satisfies Readonly<Record<string, SqlFilter>>;

/** The columns that the list sorts by. */
export const payeeSort = {
  id: { sql: "k.id", type: "bigint" },
  label: { sql: "k.label", type: "text" },
  created_at: { sql: "k.created_at", type: "timestamptz" },
} as const satisfies Readonly<Record<string, SortColumn>>;
