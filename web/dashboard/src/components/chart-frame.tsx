import type { PlainText } from "../language/catalogs.ts";
import { t } from "../language/t.ts";
import "@mantine/charts/styles.layer.css";
import { Box, Button, Skeleton, Text } from "@mantine/core";
import { IconChartBar, IconTable } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { MiniTable } from "./mini-table.tsx";
import { ErrorAlert } from "./problem-alert.tsx";
import { Section } from "./section.tsx";

/** The chart's data as a table, for screen readers and for people who prefer numbers. */
export type ChartTable = {
  readonly headers: readonly PlainText[];
  readonly rows: readonly { readonly id: string; readonly cells: readonly string[] }[];
};

/**
 * A titled chart with a table view. `table` null means that there is no data, and `empty` is shown once the query has answered.
 */
export function ChartFrame({
  title,
  query,
  summary,
  table,
  empty,
  axes,
  children,
}: {
  readonly title: PlainText;
  readonly query: Pick<UseQueryResult, "data" | "error">;
  /** The chart in one sentence. */
  readonly summary: ReactNode;
  readonly table: ChartTable | null;
  readonly empty: string;
  /** What the axes count, where their labels do not say it. */
  readonly axes?: string;
  readonly children: ReactNode;
}) {
  const shownTitle = t(title);
  const [isTable, setTable] = useState(false);
  const Icon = isTable ? IconChartBar : IconTable;
  const toggle =
    table === null ? null : (
      <Button
        variant="subtle"
        size="xs"
        leftSection={<Icon size={16} aria-hidden="true" />}
        onClick={() => {
          setTable(!isTable);
        }}
      >
        {isTable ? t("Show as chart") : t("Show as table")}
        <span className="visually-hidden">: {shownTitle}</span>
      </Button>
    );
  return (
    <Section title={shownTitle} action={toggle}>
      {query.data === undefined ? (
        query.error === null ? (
          <Skeleton height={44} aria-busy="true" />
        ) : (
          <ErrorAlert error={query.error} />
        )
      ) : table === null ? (
        <Text c="dimmed">{empty}</Text>
      ) : (
        <>
          <Text c="dimmed" size="sm" mb="sm">
            {summary}
          </Text>
          {isTable ? <TableView title={title} table={table} empty={empty} /> : children}
          {axes === undefined ? null : (
            <Text c="dimmed" size="xs" mt="xs">
              {axes}
            </Text>
          )}
        </>
      )}
    </Section>
  );
}

function TableView({
  title,
  table,
  empty,
}: {
  readonly title: PlainText;
  readonly table: ChartTable;
  readonly empty: string;
}) {
  return (
    <Box mah={320} style={{ overflowY: "auto" }} tabIndex={0} role="region" aria-label={t(title)}>
      <MiniTable
        name={title}
        empty={empty}
        rows={table.rows}
        columns={table.headers.map((header, index) => ({
          header,
          cell: ({ cells }: ChartTable["rows"][number]) => cells[index],
          ...(index === 0 ? {} : { align: "end" as const }),
        }))}
      />
    </Box>
  );
}
