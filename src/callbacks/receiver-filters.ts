import type { SortColumn } from "../platform/db/keyset.ts";
import type { SqlFilter } from "../platform/db/list-query.ts";
import { containedText, yesOrNo } from "../platform/resources/filters.ts";

/** The filters of the callback receiver list: what each accepts, and which rows of `callback_host as host` it selects. */
export const receiverFilters = {
  host: { ...containedText(256), kind: "contains", sql: "host.host" },
  is_failing: { ...yesOrNo, kind: "boolean", sql: "(host.consecutive_failures > 0)" },
} as const satisfies Readonly<Record<string, SqlFilter>>;

/** The columns that the list sorts by. */
export const receiverSort = {
  id: { sql: "host.host", type: "text" },
  host: { sql: "host.host", type: "text" },
  updated_at: { sql: "host.updated_at", type: "timestamptz" },
  consecutive_failures: { sql: "host.consecutive_failures", type: "integer" },
} as const satisfies Readonly<Record<string, SortColumn>>;
