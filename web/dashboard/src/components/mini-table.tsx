import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { PlainText } from "../language/catalogs.ts";
import { t } from "../language/t.ts";
import { useScrollStop } from "./use-scroll-stop.ts";

export type MiniColumn<Row> = {
  readonly header: PlainText;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: "end";
};

/** A small table inside a page, without filters, sorting and pagination. */
export function MiniTable<Row extends { readonly id: string }>({
  name,
  rows,
  columns,
  empty,
}: {
  readonly name: PlainText;
  readonly rows: readonly Row[] | undefined;
  readonly columns: readonly MiniColumn<Row>[];
  readonly empty: string;
}) {
  if (rows?.length === 0) return <Text c="dimmed">{empty}</Text>;
  return (
    <ScrollRegion>
      <table
        className="resource-table mini-table"
        role="table"
        aria-label={t(name)}
        aria-busy={rows === undefined}
      >
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ header, align }) => (
              <th key={header} role="columnheader" scope="col" data-align={align}>
                {t(header)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows?.map((row) => (
            <tr key={row.id} role="row">
              {columns.map(({ header, cell, align }) => (
                <td key={header} role="cell" data-align={align} data-label={t(header)}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function ScrollRegion({ children }: { readonly children: ReactNode }) {
  return (
    <div className="table-scroll" {...useScrollStop()}>
      {children}
    </div>
  );
}
