/** Prints rows with aligned columns; the last column may be of any length. */
export function printTable(
  { print }: { readonly print: (line: string) => void },
  rows: readonly (readonly string[])[],
): void {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  for (const row of rows) {
    print(
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  }
}
