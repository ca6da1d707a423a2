import type { Executor } from "../../platform/db/database.ts";
import type { ListQuery, Page } from "../../platform/kernel/list-query.ts";
import { administratorsOnly } from "../administrators-only.ts";
import type { Principal } from "../principal.ts";
import { readAuditEntry, readAuditPage } from "./audit.store.ts";
import type { ShownAuditEntry } from "./audit-entry.ts";

const assertAdministrator = administratorsOnly("Only an Owner or Admin may view the audit log.");

/** One page of the account's audit log. Rejects `permissionDenied` unless the caller is Owner or Admin. */
export function listAuditEntries(
  context: { readonly db: Executor },
  principal: Principal,
  query: ListQuery,
): Promise<Page<ShownAuditEntry>> {
  assertAdministrator(principal);
  return readAuditPage(context.db, principal.accountId, query);
}

/** The entry with this id; null when the account has none. Rejects as `listAuditEntries` does. */
export function findAuditEntry(
  context: { readonly db: Executor },
  principal: Principal,
  id: string,
): Promise<ShownAuditEntry | null> {
  assertAdministrator(principal);
  return readAuditEntry(context.db, principal.accountId, id);
}
