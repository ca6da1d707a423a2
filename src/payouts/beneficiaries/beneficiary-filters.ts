import type { SortColumn } from "../../platform/db/keyset.ts";
import type { SqlFilter } from "../../platform/db/list-query.ts";
import {
  containedText,
  exactText,
  timeBound,
  wholeNumber,
} from "../../platform/resources/filters.ts";

/** Characters of a beneficiary's name. */
export const nameMax = 64;

/** The filters of the beneficiary list: what each accepts, and which rows of `beneficiary as b` it selects. */
export const beneficiaryFilters = {
  id: { ...wholeNumber(18), kind: "id", sql: "b.id" },
  name: { ...containedText(nameMax), kind: "contains", sql: "b.name" },
  currency: { ...wholeNumber(8), kind: "text", sql: "b.currency" },
  chain: { ...exactText(16), kind: "text", sql: "b.chain" },
  address: { ...exactText(128), kind: "text", sql: "b.address" },
  created_at_from: { ...timeBound(), kind: "from", sql: "b.created_at" },
  created_at_to: { ...timeBound(), kind: "to", sql: "b.created_at" },
} as const satisfies Readonly<Record<string, SqlFilter>>;

/** The columns that the list sorts by. */
export const beneficiarySort = {
  id: { sql: "b.id", type: "bigint" },
  name: { sql: "b.name", type: "text" },
  created_at: { sql: "b.created_at", type: "timestamptz" },
  updated_at: { sql: "b.updated_at", type: "timestamptz" },
} as const satisfies Readonly<Record<string, SortColumn>>;
