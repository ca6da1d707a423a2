import type { PayoutBatchPreview } from "../../../../../client/src/api-types.gen.ts";

type Fault = PayoutBatchPreview["attributes"]["faults"][number];

/** A problem that one or more rows share. */
export type FaultGroup = {
  /** In the order of the file, each row once. */
  readonly rows: readonly number[];
  readonly column: string | null;
  readonly detail: string;
};

/** Joins the faults that differ only in their row, in the order of their first rows. */
export function groupFaults(faults: readonly Fault[]): readonly FaultGroup[] {
  const groups = Map.groupBy(faults, ({ column, detail }) => JSON.stringify([column, detail]));
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const rows = [...new Set(same.map(({ row }) => row))].toSorted((a, b) => a - b);
    return [{ rows, column: first.column, detail: first.detail }];
  });
}

/** Ascending row numbers with ranges: `2–51, 53`. */
export function rowRanges(rows: readonly number[]): string {
  const ranges: { from: number; to: number }[] = [];
  for (const row of rows) {
    const last = ranges.at(-1);
    if (last !== undefined && row === last.to + 1) last.to = row;
    else ranges.push({ from: row, to: row });
  }
  return ranges
    .map(({ from, to }) =>
      from === to ? String(from) : `${from}${to === from + 1 ? ", " : "–"}${to}`,
    )
    .join(", ");
}
