import type { ReactNode } from "react";
import { Amount } from "./amount.tsx";
import { CodeText } from "./code-text.tsx";
import type { TableColumn } from "./resource-table.tsx";
import { StatusBadge, type StatusKind } from "./status-badge.tsx";
import { TimeText } from "./time-text.tsx";

/** Columns of several lists. Each fits every row that has what it shows; what a list has differently it spreads over them. */

type Having<Name extends string, Value> = { readonly attributes: Readonly<Record<Name, Value>> };

/** Its number as the link to its own page. */
export function idColumn(
  header: string,
  link: (id: string) => ReactNode,
): TableColumn<{ readonly id: string }> {
  return { id: "id", header, cell: ({ id }) => link(id), csv: ({ id }) => id };
}

/** The interface's status: a word on the page, the number in the file. */
export function statusColumn(kind: StatusKind): TableColumn<Having<"status", number>> {
  return {
    id: "status",
    header: "Status",
    sort: "status",
    cell: ({ attributes }) => <StatusBadge kind={kind} value={attributes.status} />,
    csv: ({ attributes }) => String(attributes.status),
  };
}

export const labelColumn: TableColumn<Having<"label", string | null>> = {
  id: "label",
  header: "Label",
  sort: "label",
  cell: ({ attributes }) => attributes.label ?? "–",
  csv: ({ attributes }) => attributes.label ?? "",
};

export const trackingIdColumn: TableColumn<Having<"tracking_id", string | null>> = {
  id: "tracking_id",
  header: "Tracking id",
  sort: "tracking_id",
  isOptional: true,
  cell: ({ attributes }) => attributes.tracking_id ?? "–",
  csv: ({ attributes }) => attributes.tracking_id ?? "",
};

export const addressColumn: TableColumn<Having<"address", string | null>> = {
  id: "address",
  header: "Address",
  cell: ({ attributes }) => <CodeText value={attributes.address} label="the address" isShort />,
  csv: ({ attributes }) => attributes.address ?? "",
};

export const createdColumn: TableColumn<Having<"created_at", string>> = {
  id: "created_at",
  header: "Created",
  sort: "created_at",
  cell: ({ attributes }) => <TimeText value={attributes.created_at} />,
  csv: ({ attributes }) => attributes.created_at,
};

/** The amount of that name, in the currency whose code `code` finds; null in the row shows as no amount. */
export function amountColumn<Name extends string, Row extends Having<Name, string | null>>(
  name: Name,
  header: string,
  code: (row: Row) => string | null,
): TableColumn<Row> {
  return {
    id: name,
    header,
    align: "end",
    cell: (row) => <Amount value={row.attributes[name]} code={code(row)} />,
    csv: ({ attributes }) => attributes[name] ?? "",
  };
}
