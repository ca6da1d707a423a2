import type { ShownAuditEntry } from "../../accounts/audit/audit-entry.ts";
import { auditFilters, auditSort } from "../../accounts/audit/audit-filters.ts";
import { findAuditEntry, listAuditEntries } from "../../accounts/audit/read-audit.ts";
import type { Executor } from "../../platform/db/database.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { defineResource, type ResourceOf } from "../../platform/resources/define-resource.ts";
import {
  described,
  integer,
  nullable,
  text,
  timestamp,
} from "../../platform/resources/json-schema.ts";
import { getRoute, listRoute, type Route } from "../server/route.ts";

const auditEntryResource = defineResource({
  type: "audit-entry",
  description: "An action in the account. Entries form a hash chain and never change.",
  attributes: {
    sequence: described(integer, "Position in the account's log, from 1 without gaps."),
    action: described(text, "The action, such as payout.approved."),
    member_id: described(
      nullable(text),
      "Null together with the credential when the operator acted at the command line.",
    ),
    member_name: nullable(text),
    credential_id: described(nullable(text), "The program's credential; null for a person."),
    object_type: nullable(text),
    object_id: nullable(text),
    ip: nullable(text),
    summary: described({ type: "object" }, "What changed. Contains no secrets."),
    created_at: timestamp,
    hash: described(text, "Hex SHA-256 of the previous entry's hash and this entry."),
  },
  filters: auditFilters,
  sortable: auditSort,
  defaultSort: "-id",
});

/** `/audit-entry/`, for Owners and Admins who see all wallets. */
export function auditEntryRoutes(context: { readonly db: Executor }): readonly Route[] {
  return [
    listRoute({
      path: "/audit-entry/",
      summary: "List the audit log",
      description: "For Owners and Admins who see all wallets.",
      resource: auditEntryResource,
      list: async ({ principal }, query) =>
        mapPage(await listAuditEntries(context, principal, query), renderEntry),
    }),
    getRoute({
      path: "/audit-entry/{id}/",
      summary: "Get an audit entry",
      description: "For Owners and Admins who see all wallets.",
      resource: auditEntryResource,
      find: async ({ principal, id }) => {
        const found = await findAuditEntry(context, principal, id);
        return found === null ? null : renderEntry(found);
      },
    }),
  ];
}

function renderEntry({
  id,
  entry,
  hash,
  memberName,
}: ShownAuditEntry): ResourceOf<typeof auditEntryResource> {
  return {
    type: "audit-entry",
    id,
    attributes: {
      sequence: entry.seq,
      action: entry.action,
      member_id: entry.memberId,
      member_name: memberName,
      credential_id: entry.credentialId,
      object_type: entry.object?.type ?? null,
      object_id: entry.object?.id ?? null,
      ip: entry.ip,
      summary: entry.summary,
      created_at: formatTimestamp(entry.at),
      hash: Buffer.from(hash).toString("hex"),
    },
  };
}
