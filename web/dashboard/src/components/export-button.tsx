import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { ListQuery } from "../api/list-query.ts";
import type { ListSource } from "../api/list-source.ts";
import { t } from "../language/t.ts";
import { type CsvColumn, exportCsv } from "./export-csv.ts";

/** Exports the filtered and sorted list as CSV. A second click stops a running export. */
export function ExportButton<Row>({
  name,
  columns,
  source,
  query,
}: {
  readonly name: string;
  readonly columns: readonly CsvColumn<Row>[];
  readonly source: ListSource<Row>;
  readonly query: ListQuery;
}) {
  const [running, setRunning] = useState<AbortController | null>(null);
  const [rows, setRows] = useState(0);
  const exporting = useMutation({
    mutationFn: (signal: AbortSignal) =>
      exportCsv(name, columns, { source, query }, { signal, onProgress: setRows }).catch(
        (error: unknown) => {
          if (!signal.aborted) throw error;
        },
      ),
    onSettled: () => {
      setRunning(null);
    },
  });
  const click = (): void => {
    if (running !== null) {
      running.abort();
      return;
    }
    const controller = new AbortController();
    setRunning(controller);
    setRows(0);
    exporting.mutate(controller.signal);
  };
  return (
    <Button variant="default" leftSection={<IconDownload size={16} />} onClick={click}>
      {running === null ? t("Export CSV") : t("Stop ({rows} rows)", { rows })}
    </Button>
  );
}
