import type { Executor } from "../../db/database.ts";
import type { ListQuery, Page } from "../../kernel/list-query.ts";
import { reject } from "../../kernel/rejection.ts";
import { mayAdminister, type Principal } from "../principal.ts";
import { readAuditEntry, readAuditPage } from "./audit.store.ts";
import type { ShownAuditEntry } from "./audit-entry.ts";

/** A page of the account's audit log. Rejects `permissionDenied` unless the caller is Owner or Admin. */
export function listAudit(
  context: { readonly db: Executor },
  principal: Principal,
  query: ListQuery,
): Promise<Page<ShownAuditEntry>> {
  requireReader(principal);
  return readAuditPage(context.db, principal.accountId, query);
}

/** One entry; null when the account has none of that id. Rejects as listing does. */
export function findAudit(
  context: { readonly db: Executor },
  principal: Principal,
  id: string,
): Promise<ShownAuditEntry | null> {
  requireReader(principal);
  return readAuditEntry(context.db, principal.accountId, id);
}

function requireReader(principal: Principal): void {
  if (!mayAdminister(principal))
    reject("permissionDenied", "Only an Owner or Admin may read the audit log.");
}
