/** A record of a CSV file and the number of the line that it starts on; the first line is 1. */
export type CsvRecord = { readonly line: number; readonly cells: readonly string[] };

/** What makes a text no CSV file, and where. */
export type CsvFault = { readonly line: number; readonly fault: string };

/**
 * Splits a CSV file (RFC 4180) into records. The separator is the comma, semicolon or tab that the first line contains most often, as
 * spreadsheets of different countries write it. Empty lines are skipped; a byte order mark is ignored. Pure.
 */
export function parseCsv(file: string): readonly CsvRecord[] | CsvFault {
  const text = file.replace(/^\uFEFF/, "");
  const separator = separatorOf(text);
  const records: CsvRecord[] = [];
  let cells: string[] = [];
  let line = 1;
  let start = 1;
  let at = 0;
  const endRecord = (): void => {
    if (cells.some((cell) => cell.trim() !== "")) records.push({ line: start, cells });
    cells = [];
    start = line;
  };
  while (at < text.length) {
    const cell = readCell(text, at, separator);
    if ("fault" in cell) return { line: line + cell.lines, fault: cell.fault };
    cells.push(cell.value);
    line += cell.lines;
    at = cell.end;
    if (text[at] === separator) {
      at += 1;
      // A separator at the end of the file is followed by an empty cell.
      if (at === text.length) cells.push("");
      continue;
    }
    if (text.startsWith("\r\n", at)) at += 1;
    at += 1;
    line += 1;
    endRecord();
  }
  endRecord();
  return records;
}

type Cell = { readonly value: string; readonly end: number; readonly lines: number };

function readCell(
  text: string,
  from: number,
  separator: string,
): Cell | { readonly fault: string; readonly lines: number } {
  if (text[from] !== '"') {
    const rest = text.slice(from).search(new RegExp(`[\r\n${separator}]`));
    const end = rest === -1 ? text.length : from + rest;
    return { value: text.slice(from, end), end, lines: 0 };
  }
  let value = "";
  let at = from + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return { fault: "A quoted cell has no closing quote.", lines: 0 };
    value += text.slice(at, quote);
    at = quote + 1;
    if (text[at] !== '"') break;
    value += '"';
    at += 1;
  }
  const lines = value.split("\n").length - 1;
  if (at < text.length && !["\r", "\n", separator].includes(text[at] ?? ""))
    return { fault: "Text follows the closing quote of a cell.", lines };
  return { value, end: at, lines };
}

function separatorOf(text: string): string {
  const [first = ""] = text.split(/[\r\n]/, 1);
  const count = (separator: string): number => first.split(separator).length;
  return [",", ";", "\t"].reduce((best, one) => (count(one) > count(best) ? one : best));
}
