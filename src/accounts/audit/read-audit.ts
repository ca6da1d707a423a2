import type { Executor } from "../../platform/db/database.ts";
import type { ListQuery, Page } from "../../platform/kernel/list-query.ts";
import { administratorsOnly } from "../administrators-only.ts";
import type { Principal } from "../principal.ts";
import { readAuditEntry, readAuditPage } from "./audit.store.ts";
import type { ShownAuditEntry } from "./audit-entry.ts";

const requireAdministrator = administratorsOnly("Only an Owner or Admin may read the audit log.");

/** A page of the account's audit log. Rejects `permissionDenied` unless the caller is Owner or Admin. */
export function listAudit(
  context: { readonly db: Executor },
  principal: Principal,
  query: ListQuery,
): Promise<Page<ShownAuditEntry>> {
  requireAdministrator(principal);
  return readAuditPage(context.db, principal.accountId, query);
}

/** One entry; null when the account has none of that id. Rejects as listing does. */
export function findAudit(
  context: { readonly db: Executor },
  principal: Principal,
  id: string,
): Promise<ShownAuditEntry | null> {
  requireAdministrator(principal);
  return readAuditEntry(context.db, principal.accountId, id);
}
