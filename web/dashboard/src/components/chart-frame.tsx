import "@mantine/charts/styles.layer.css";
import { Box, Button, Skeleton, Text } from "@mantine/core";
import { IconChartBar, IconTable } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { MiniTable } from "./mini-table.tsx";
import { ErrorAlert } from "./problem-alert.tsx";
import { Section } from "./section.tsx";

/** What a chart shows, as rows of texts: the same for whoever cannot see it, or would rather read. */
export type ChartTable = {
  readonly headers: readonly string[];
  readonly rows: readonly { readonly id: string; readonly cells: readonly string[] }[];
};

/**
 * A titled chart that can be read as a table instead. `table` null: there is nothing to show yet, and `empty` says so; but only once
 * `read` has its data, as until then nobody knows.
 */
export function ChartFrame({
  title,
  read,
  summary,
  table,
  empty,
  children,
}: {
  readonly title: string;
  /** The question whose answer is drawn. */
  readonly read: Pick<UseQueryResult, "data" | "error">;
  /** The chart in a sentence, for everybody. */
  readonly summary: ReactNode;
  readonly table: ChartTable | null;
  readonly empty: string;
  readonly children: ReactNode;
}) {
  const [isTable, setTable] = useState(false);
  const Picture = isTable ? IconChartBar : IconTable;
  const toggle =
    table === null ? null : (
      <Button
        variant="subtle"
        size="xs"
        leftSection={<Picture size={16} aria-hidden="true" />}
        onClick={() => {
          setTable(!isTable);
        }}
      >
        {isTable ? "Show as chart" : "Show as table"}
        <span className="only-heard">: {title}</span>
      </Button>
    );
  return (
    <Section title={title} action={toggle}>
      {read.data === undefined ? (
        read.error === null ? (
          <Skeleton height={44} aria-busy="true" />
        ) : (
          <ErrorAlert error={read.error} />
        )
      ) : table === null ? (
        <Text c="dimmed">{empty}</Text>
      ) : (
        <>
          <Text c="dimmed" size="sm" mb="sm">
            {summary}
          </Text>
          {isTable ? (
            <Box
              mah={320}
              style={{ overflowY: "auto" }}
              tabIndex={0}
              role="region"
              aria-label={title}
            >
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
          ) : (
            children
          )}
        </>
      )}
    </Section>
  );
}
