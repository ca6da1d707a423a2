import { Box, Text } from "@mantine/core";
import { IconClipboardList } from "@tabler/icons-react";
import type { AuditEntry } from "../../../../../client/src/api-types.gen.ts";
import { listSource } from "../../api/list-source.ts";
import { AdministratorsOnly } from "../../components/administrators-only.tsx";
import { EmptyList } from "../../components/empty-list.tsx";
import type { FilterField } from "../../components/filter-bar.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { ResourceTable, type TableColumn } from "../../components/resource-table.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { t } from "../../language/t.ts";
import { actionLabel, actorOf, objectOf, summaryOf } from "./audit-entry-text.ts";

const source = listSource("/audit-entry/");

const filters: readonly FilterField[] = [
  { kind: "text", name: "action", label: t("Action (e.g. payout.approved)") },
  { kind: "text", name: "member", label: t("Member ID") },
  { kind: "text", name: "object_type", label: t("Object type") },
  { kind: "text", name: "object_id", label: t("Object ID") },
  { kind: "days", name: "created_at", label: t("Time") },
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
      <Box miw={120} title={action}>
        {actionLabel(action)}
      </Box>
    ),
    csv: ({ attributes }) => actionLabel(attributes.action),
  },
  {
    id: "actor",
    header: "Actor",
    cell: ({ attributes }) => (
      <Box miw={120}>{actorOf(attributes).replace(/API key (?=\d)/, "API\u00a0key\u00a0")}</Box>
    ),
    csv: ({ attributes }) => actorOf(attributes),
  },
  {
    id: "object",
    header: "Object",
    cell: ({ attributes }) => <span className="one-line">{objectOf(attributes)}</span>,
    csv: ({ attributes }) => objectOf(attributes),
  },
  {
    id: "summary",
    header: "Changes",
    cell: ({ attributes }) => (
      <Text size="sm" miw={180} className="break-anywhere">
        {summaryOf(attributes)}
      </Text>
    ),
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
    <AdministratorsOnly title={t("Audit log")} ofAllWallets>
      <PageHeader
        title={t("Audit log")}
        description={t(
          "Every action with its actor and IP address. Entries are hash-chained, so tampering is detectable.",
        )}
      />
      <ResourceTable
        name="Audit log"
        source={source}
        columns={columns}
        filters={filters}
        empty={
          <EmptyList icon={IconClipboardList} title={t("No entries yet")}>
            {t("Actions of team members and API keys appear here.")}
          </EmptyList>
        }
      />
    </AdministratorsOnly>
  );
}
