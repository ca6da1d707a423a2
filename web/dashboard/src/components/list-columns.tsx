import type { ReactNode } from "react";
import type { PlainText } from "../language/catalogs.ts";
import { Amount } from "./amount.tsx";
import { CodeText } from "./code-text.tsx";
import type { TableColumn } from "./resource-table.tsx";
import { StatusBadge, type StatusKind, statusLabel } from "./status-badge.tsx";
import { TimeText } from "./time-text.tsx";
import { TransferBadge, type TransferState, transferLabel } from "./transfer-badge.tsx";

type Having<Name extends string, Value> = { readonly attributes: Readonly<Record<Name, Value>> };

/** The object's ID, linked to its page. */
export function idColumn(
  header: PlainText,
  link: (id: string) => ReactNode,
): TableColumn<{ readonly id: string }> {
  return { id: "id", header, cell: ({ id }) => link(id), csv: ({ id }) => id };
}

/** The status of a kind without a state of its own. */
export function statusColumn(kind: StatusKind): TableColumn<Having<"status", number>> {
  return {
    id: "status",
    header: "Status",
    sort: "status",
    cell: ({ attributes }) => <StatusBadge kind={kind} value={attributes.status} />,
    csv: ({ attributes }) => statusLabel(kind, attributes.status),
  };
}

/** The state of a deposit or payout. */
export function stateColumn(kind: "deposit" | "payout"): TableColumn<Having<"state", string>> {
  return {
    id: "state",
    header: "Status",
    cell: ({ attributes }) => <StatusBadge kind={kind} value={attributes.state} />,
    csv: ({ attributes }) => statusLabel(kind, attributes.state),
  };
}

export const transferStatusColumn: TableColumn<TransferState> = {
  ...statusColumn("transfer"),
  cell: (transfer) => <TransferBadge transfer={transfer} />,
  csv: transferLabel,
};

export const labelColumn: TableColumn<Having<"label", string | null>> = {
  id: "label",
  header: "Label",
  sort: "label",
  cell: ({ attributes }) => attributes.label ?? "–",
  csv: ({ attributes }) => attributes.label ?? "",
};

export const trackingIdColumn: TableColumn<Having<"tracking_id", string | null>> = {
  id: "tracking_id",
  header: "Tracking ID",
  sort: "tracking_id",
  isOptional: true,
  cell: ({ attributes }) => attributes.tracking_id ?? "–",
  csv: ({ attributes }) => attributes.tracking_id ?? "",
};

export const addressColumn: TableColumn<Having<"address", string | null>> = {
  id: "address",
  header: "Address",
  cell: ({ attributes }) => <CodeText value={attributes.address} label="address" isShort />,
  csv: ({ attributes }) => attributes.address ?? "",
};

export const createdColumn: TableColumn<Having<"created_at", string>> = {
  id: "created_at",
  header: "Created",
  sort: "created_at",
  cell: ({ attributes }) => <TimeText value={attributes.created_at} />,
  csv: ({ attributes }) => attributes.created_at,
};

/** The currency's code that `code` returns. */
export function currencyColumn<Row>(code: (row: Row) => string | null): TableColumn<Row> {
  return {
    id: "currency",
    header: "Currency",
    isOptional: true,
    cell: (row) => code(row),
    csv: (row) => code(row) ?? "",
  };
}

/** The amount attribute `name` in the currency that `code` returns; null shows a dash. */
export function amountColumn<Name extends string, Coded>(
  name: Name,
  header: PlainText,
  code: (row: Coded) => string | null,
): TableColumn<Coded & Having<Name, string | null>> {
  return {
    id: name,
    header,
    align: "end",
    cell: (row) => <Amount value={row.attributes[name]} code={code(row)} />,
    csv: ({ attributes }) => attributes[name] ?? "",
    csvCode: (row) => (row.attributes[name] === null ? null : code(row)),
  };
}
