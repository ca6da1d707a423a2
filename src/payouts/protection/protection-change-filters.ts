import type { SortColumn } from "../../platform/db/keyset.ts";
import type { SqlFilter } from "../../platform/db/list-query.ts";
import { choice, timeBound, wholeNumber, yesOrNo } from "../../platform/resources/filters.ts";
import { protectionKinds, protectionStatuses } from "./protection-change.ts";

/** The filters of the list: what each accepts, and which rows of `protection_change as c` it selects. */
export const protectionFilters = {
  id: { ...wholeNumber(18), kind: "id", sql: "c.id" },
  kind: { ...choice(protectionKinds), kind: "text", sql: "c.kind" },
  status: { ...choice(protectionStatuses), kind: "text", sql: "c.status" },
  loosens: { ...yesOrNo, kind: "boolean", sql: "c.loosens" },
  created_at_from: { ...timeBound(), kind: "from", sql: "c.created_at" },
  created_at_to: { ...timeBound(), kind: "to", sql: "c.created_at" },
} as const satisfies Readonly<Record<string, SqlFilter>>;

/** The columns that the list sorts by. */
export const protectionSort = {
  id: { sql: "c.id", type: "bigint" },
  created_at: { sql: "c.created_at", type: "timestamptz" },
} as const satisfies Readonly<Record<string, SortColumn>>;
