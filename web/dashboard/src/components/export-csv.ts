import type { ListQuery, ListSource } from "../api/list-source.ts";
import { csvLine } from "./csv.ts";

export type CsvColumn<Row> = { readonly header: string; readonly csv: (row: Row) => string };

/** Spreadsheets take a file for UTF-8 when it begins with this. */
const byteOrderMark = "\uFEFF";
/** How long the file can be fetched by the browser that was handed it. */
const keptMs = 60_000;

/**
 * Reads every page of a list and hands the browser a file of it. `onProgress` hears how many rows there are so far; the signal
 * stops it without a file.
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
    parts.push(csvLine(columns.map(({ csv }) => csv(row))));
    rows += 1;
    if (rows % 100 === 0) onProgress(rows);
  }
  const url = URL.createObjectURL(new Blob(parts, { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${name}.csv`;
  link.click();
  // The browser may begin to read it only after this.
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, keptMs);
}
