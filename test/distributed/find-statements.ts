/** A statement of the program as its source has it, with its parts in `${}`. */
export type SourceStatement = { readonly name: string; readonly text: string };

/** The statements in these sources: calls of `statement` with a name and a text. */
export function findStatements(sources: readonly string[]): readonly SourceStatement[] {
  const call = /\bstatement(?:<[^;]*?>)?\(\s*"([\w.-]+)",\s*(`[^`]*`|"[^"]*")/g;
  return sources.flatMap((source) =>
    [...source.matchAll(call)].map(([, name = "", text = ""]) => ({ name, text })),
  );
}

/** Whether a statement reads or changes a table. */
export function readsTable(text: string, table: string): boolean {
  return new RegExp(`\\b(?:from|join|into|update)\\s+${table}\\b`).test(text);
}
