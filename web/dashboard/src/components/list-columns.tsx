import type { ReactNode } from "react";
import { Amount } from "./amount.tsx";
import { CodeText } from "./code-text.tsx";
import { DepositBadge, type DepositState } from "./deposit-badge.tsx";
import type { TableColumn } from "./resource-table.tsx";
import { StatusBadge, type StatusKind } from "./status-badge.tsx";
import { TimeText } from "./time-text.tsx";
import { TransferBadge, type TransferState } from "./transfer-badge.tsx";

type Having<Name extends string, Value> = { readonly attributes: Readonly<Record<Name, Value>> };

/** The object's ID, linked to its page. */
export function idColumn(
  header: string,
  link: (id: string) => ReactNode,
): TableColumn<{ readonly id: string }> {
  return { id: "id", header, cell: ({ id }) => link(id), csv: ({ id }) => id };
}

/** The status: a badge on the page, the API's number in the CSV file. */
export function statusColumn(kind: StatusKind): TableColumn<Having<"status", number>> {
  return {
    id: "status",
    header: "Status",
    sort: "status",
    cell: ({ attributes }) => <StatusBadge kind={kind} value={attributes.status} />,
    csv: ({ attributes }) => String(attributes.status),
  };
}

export const depositStatusColumn: TableColumn<DepositState> = {
  ...statusColumn("deposit"),
  cell: (deposit) => <DepositBadge deposit={deposit} />,
};

export const transferStatusColumn: TableColumn<TransferState> = {
  ...statusColumn("transfer"),
  cell: (transfer) => <TransferBadge transfer={transfer} />,
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
  header: string,
  code: (row: Coded) => string | null,
): TableColumn<Coded & Having<Name, string | null>> {
  return {
    id: name,
    header,
    align: "end",
    cell: (row) => <Amount value={row.attributes[name]} code={code(row)} />,
    csv: ({ attributes }) => attributes[name] ?? "",
  };
}
