import type { SortColumn } from "../../platform/db/keyset.ts";
import type { SqlFilter } from "../../platform/db/list-query.ts";
import { exactText, timeBound, wholeNumber } from "../../platform/resources/filters.ts";

/** The filters of the audit log list: what each accepts, and which rows of `audit_entry as e` it selects. */
export const auditFilters = {
  id: { ...wholeNumber(18), kind: "id", sql: "e.id" },
  action: { ...exactText(64), kind: "text", sql: "e.action" },
  member: { ...wholeNumber(18), kind: "id", sql: "e.member_id" },
  credential: { ...wholeNumber(18), kind: "id", sql: "e.credential_id" },
  object_type: { ...exactText(64), kind: "text", sql: "e.object_type" },
  object_id: { ...exactText(64), kind: "text", sql: "e.object_id" },
  ip: { ...exactText(64), kind: "text", sql: "e.ip" },
  created_at_from: { ...timeBound(), kind: "from", sql: "e.created_at" },
  created_at_to: { ...timeBound(), kind: "to", sql: "e.created_at" },
} as const satisfies Readonly<Record<string, SqlFilter>>;

/** The columns that the list sorts by. */
export const auditSort = {
  id: { sql: "e.seq", type: "bigint" },
  created_at: { sql: "e.created_at", type: "timestamptz" },
} as const satisfies Readonly<Record<string, SortColumn>>;
