import { Text } from "@mantine/core";
import { IconClipboardList } from "@tabler/icons-react";
import type { AuditEntry } from "../../../../../client/src/api-types.gen.ts";
import { listSource } from "../../api/list-source.ts";
import { EmptyList } from "../../components/empty-list.tsx";
import type { FilterField } from "../../components/filter-bar.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { ResourceTable, type TableColumn } from "../../components/resource-table.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { AdministratorsOnly } from "./administrators-only.tsx";

const source = listSource("/audit-entry/");

const filters: readonly FilterField[] = [
  { kind: "text", name: "action", label: "Action, such as payout.approved" },
  { kind: "text", name: "member", label: "Member id" },
  { kind: "text", name: "object_type", label: "Kind of object" },
  { kind: "text", name: "object_id", label: "Object id" },
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
    cell: ({ attributes: { action } }) => <span title={action}>{actionInWords(action)}</span>,
    csv: ({ attributes }) => attributes.action,
  },
  {
    id: "who",
    header: "Who",
    cell: ({ attributes }) => whoOf(attributes),
    csv: ({ attributes }) => whoOf(attributes),
  },
  {
    id: "object",
    header: "On",
    cell: ({ attributes }) => objectOf(attributes),
    csv: ({ attributes }) => objectOf(attributes),
  },
  {
    id: "summary",
    header: "What changed",
    cell: ({ attributes }) => <Text size="sm">{summaryOf(attributes)}</Text>,
    csv: ({ attributes }) => summaryOf(attributes),
  },
  {
    id: "ip",
    header: "From",
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

/** Who did what. */
export function AuditLogPage() {
  return (
    <AdministratorsOnly title="Audit log">
      <PageHeader
        title="Audit log"
        description="Who did what, and from where. Entries are chained: none can be changed or taken out unseen."
      />
      <ResourceTable
        name="Audit log"
        source={source}
        columns={columns}
        filters={filters}
        empty={
          <EmptyList icon={IconClipboardList} title="Nothing is on record yet">
            What people do in the account is written down here.
          </EmptyList>
        }
      />
    </AdministratorsOnly>
  );
}

type Attributes = AuditEntry["attributes"];

function whoOf({ member_id, member_name, credential_id }: Attributes): string {
  if (member_id === null && credential_id === null) return "Operator's command line";
  const who = member_name ?? `Member ${member_id ?? ""}`;
  return credential_id === null ? who : `${who}, by credential ${credential_id}`;
}

/** `payout.approved` as people say it: Payout approved. */
function actionInWords(action: string): string {
  const words = action.replaceAll(/[._]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function objectOf({ object_type, object_id }: Attributes): string {
  return object_type === null ? "–" : `${object_type} ${object_id ?? ""}`;
}

function summaryOf({ summary }: Attributes): string {
  const members = new Map(Object.entries(summary as Readonly<Record<string, unknown>>));
  const words = [...members].flatMap(([name, value]) => {
    const base = name.replace(/_before$/, "");
    // Told beside what it became.
    if (base !== name && members.has(base)) return [];
    const text = textOf(value);
    const before = members.get(`${name}_before`);
    if (before === undefined) return text === "" ? [] : [`${inWords(name)}: ${text}`];
    return [`${inWords(name)}: ${orNone(text)} (before: ${orNone(textOf(before))})`];
  });
  return words.length === 0 ? "–" : words.join("; ");
}

function inWords(name: string): string {
  return name.replaceAll("_", " ");
}

function orNone(text: string): string {
  return text === "" ? "none" : text;
}

/** Empty for what says nothing. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? value : "";
}
