import { t } from "../../language/t.ts";

export type ScannedRange = { readonly from_height: number; readonly to_height: number };

/** Position and length of a range, in thousandths of the whole bar. */
export type RangeBar = { readonly start: number; readonly length: number };

/** The length of the whole bar. */
export const barLength = 1_000;

/**
 * Scales scanned ranges to a bar from the lowest scanned height to the tip. Ranges and gaps are at least one thousandth long, so
 * that none is invisible.
 */
export function rangeBars(
  ranges: readonly ScannedRange[],
  tip: number,
): { readonly from: number; readonly to: number; readonly bars: readonly RangeBar[] } {
  const sorted = ranges.toSorted((a, b) => a.from_height - b.from_height);
  const from = sorted[0]?.from_height ?? 0;
  const to = Math.max(tip, sorted.at(-1)?.to_height ?? from);
  const count = to - from + 1;
  const place = (height: number): number => ((height - from) * barLength) / count;
  let after = -1;
  const bars = sorted.map(({ from_height, to_height }) => {
    const start = Math.max(place(from_height), after + 1);
    const length = Math.max(place(to_height + 1) - start, 1);
    after = start + length;
    return { start, length };
  });
  return { from, to, bars };
}

/** The heights missing between the lowest scanned height and the tip, such as "50 to 59". */
export function gaps(ranges: readonly ScannedRange[], tip: number): readonly string[] {
  const sorted = ranges.toSorted((a, b) => a.from_height - b.from_height);
  const between = sorted.slice(1).flatMap(({ from_height }, index) => {
    const before = sorted[index]?.to_height ?? from_height;
    return from_height > before + 1 ? [heights(before + 1, from_height - 1)] : [];
  });
  const last = sorted.at(-1)?.to_height;
  return last !== undefined && last < tip ? [...between, heights(last + 1, tip)] : between;
}

function heights(from: number, to: number): string {
  return from === to ? String(from) : t("{from} to {to}", { from: String(from), to: String(to) });
}
