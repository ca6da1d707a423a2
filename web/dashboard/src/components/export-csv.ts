import type { ListQuery } from "../api/list-query.ts";
import type { ListSource } from "../api/list-source.ts";
import { inEnglish } from "../language/t.ts";
import { csvLine } from "./csv.ts";
import { saveFile } from "./save-file.ts";

export type CsvColumn<Row> = { readonly header: string; readonly csv: (row: Row) => string };

/** Makes spreadsheets read the file as UTF-8. */
const byteOrderMark = "\uFEFF";

/**
 * Reads every page of a list and downloads it as a CSV file. `onProgress` receives the number of rows read so far; aborting the
 * signal stops without a file.
 */
export async function exportCsv<Row>(
  name: string,
  columns: readonly CsvColumn<Row>[],
  { source, query }: { readonly source: ListSource<Row>; readonly query: ListQuery },
  {
    signal,
    onProgress,
  }: { readonly signal: AbortSignal; readonly onProgress: (rows: number) => void },
): Promise<void> {
  const parts = [byteOrderMark, csvLine(columns.map(({ header }) => header))];
  let rows = 0;
  for await (const row of source.all(query, signal)) {
    parts.push(inEnglish(() => csvLine(columns.map(({ csv }) => csv(row)))));
    rows += 1;
    if (rows % 100 === 0) onProgress(rows);
  }
  downloadCsv(name, parts);
}

/** Saves lines as the file `name`.csv. */
export function downloadCsv(name: string, parts: readonly string[]): void {
  saveFile(`${name}.csv`, new Blob([...parts], { type: "text/csv;charset=utf-8" }));
}
