import { Box, Text } from "@mantine/core";
import { IconClipboardList } from "@tabler/icons-react";
import type { AuditEntry } from "../../../../../client/src/api-types.gen.ts";
import { listSource } from "../../api/list-source.ts";
import { AdministratorsOnly } from "../../components/administrators-only.tsx";
import { EmptyList } from "../../components/empty-list.tsx";
import type { FilterField } from "../../components/filter-bar.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { ResourceTable, type TableColumn } from "../../components/resource-table.tsx";
import { roleNames } from "../../components/role-names.ts";
import { TimeText } from "../../components/time-text.tsx";

const source = listSource("/audit-entry/");

const filters: readonly FilterField[] = [
  { kind: "text", name: "action", label: "Action (e.g. payout.approved)" },
  { kind: "text", name: "member", label: "Member ID" },
  { kind: "text", name: "object_type", label: "Object type" },
  { kind: "text", name: "object_id", label: "Object ID" },
  { kind: "days", name: "created_at", label: "Time" },
];

const columns: readonly TableColumn<AuditEntry>[] = [
  {
    id: "time",
    header: "Time",
    sort: "created_at",
    cell: ({ attributes }) => <TimeText value={attributes.created_at} withSeconds />,
    csv: ({ attributes }) => attributes.created_at,
  },
  {
    id: "action",
    header: "Action",
    cell: ({ attributes: { action } }) => (
      <Box miw={140} title={action}>
        {actionLabel(action)}
      </Box>
    ),
    csv: ({ attributes }) => attributes.action,
  },
  {
    id: "actor",
    header: "Actor",
    cell: ({ attributes }) => <Box miw={150}>{actorOf(attributes)}</Box>,
    csv: ({ attributes }) => actorOf(attributes),
  },
  {
    id: "object",
    header: "Object",
    cell: ({ attributes }) => objectOf(attributes),
    csv: ({ attributes }) => objectOf(attributes),
  },
  {
    id: "summary",
    header: "Changes",
    cell: ({ attributes }) => <Text size="sm">{summaryOf(attributes)}</Text>,
    csv: ({ attributes }) => summaryOf(attributes),
  },
  {
    id: "ip",
    header: "IP address",
    cell: ({ attributes }) => attributes.ip ?? "–",
    csv: ({ attributes }) => attributes.ip ?? "",
  },
  {
    id: "hash",
    header: "Hash",
    isOptional: true,
    cell: ({ attributes }) => (
      <span className="code-text" title={attributes.hash}>
        {attributes.hash.slice(0, 12)}
      </span>
    ),
    csv: ({ attributes }) => attributes.hash,
  },
];

/** The account's audit log. */
export function AuditLogPage() {
  return (
    <AdministratorsOnly title="Audit log">
      <PageHeader
        title="Audit log"
        description="Every action with its actor and IP address. Entries are hash-chained, so tampering is detectable."
      />
      <ResourceTable
        name="Audit log"
        source={source}
        columns={columns}
        filters={filters}
        empty={
          <EmptyList icon={IconClipboardList} title="No entries yet">
            Actions of team members and API keys appear here.
          </EmptyList>
        }
      />
    </AdministratorsOnly>
  );
}

type Attributes = AuditEntry["attributes"];

function actorOf({ member_id, member_name, credential_id }: Attributes): string {
  if (member_id === null && credential_id === null) return "Operator (command line)";
  const member = member_name ?? `Member ${member_id ?? ""}`;
  return credential_id === null ? member : `${member} (API key ${credential_id})`;
}

/** Actions whose name on the wire is not what a reader expects. */
const actionLabels: Readonly<Record<string, string>> = {
  "session.opened": "Signed in",
  "session.refused": "Sign-in failed",
  "session.closed": "Signed out",
  "member.access_given": "Member access granted",
  "totp.enrolled": "Authenticator app added",
  "totp.removed": "Authenticator app removed",
  "webhook_secret.shown": "Webhook secret revealed",
  "recovery_codes.renewed": "Recovery codes regenerated",
  "credential.designated": "Default signing key changed",
  "payee.added": "Allowlist address added",
  "payee.removed": "Allowlist address removed",
  "unexplained_spend.decided": "Unrecorded transaction resolved",
};

/** `payout.approved` as "Payout approved". The API calls an API key a credential. */
function actionLabel(action: string): string {
  const label = actionLabels[action];
  if (label !== undefined) return label;
  const text = action.replace(/^credential\b/, "API key").replaceAll(/[._]/g, " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function objectOf({ object_type, object_id }: Attributes): string {
  if (object_type === null) return "–";
  const type = object_type === "credential" ? "API key" : object_type.replaceAll(/[-_]/g, " ");
  return `${type.charAt(0).toUpperCase()}${type.slice(1)} ${object_id ?? ""}`;
}

function summaryOf({ summary }: Attributes): string {
  const members = new Map(Object.entries(summary as Readonly<Record<string, unknown>>));
  const changes = [...members].flatMap(([name, value]) => {
    const base = name.replace(/_before$/, "");
    // Shown together with the new value.
    if (base !== name && members.has(base)) return [];
    const text = valueText(base, value);
    const label = name.replaceAll("_", " ");
    const before = members.get(`${name}_before`);
    if (before === undefined) return text === "" ? [] : [`${label}: ${text}`];
    return [`${label}: ${orNone(valueText(base, before))} → ${orNone(text)}`];
  });
  return changes.length === 0 ? "–" : changes.join("; ");
}

function orNone(text: string): string {
  return text === "" ? "none" : text;
}

/** A summary value as text: roles by their names on other pages. */
function valueText(member: string, value: unknown): string {
  const text = textOf(value);
  return member === "role"
    ? (new Map<string, string>(Object.entries(roleNames)).get(text) ?? text)
    : text;
}

/** A summary value as text; empty for objects and null. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? value : "";
}
