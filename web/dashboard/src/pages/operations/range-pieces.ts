export type ScannedRange = { readonly from_height: number; readonly to_height: number };

/** A part of the bar, in thousandths of its length. */
export type RangePiece = { readonly start: number; readonly length: number };

/** Thousandths that the bar is long. */
export const barLength = 1_000;

/**
 * The ranges that were read as parts of a bar from the lowest height read to the tip; one that would be too thin to be seen is
 * drawn a thousandth wide. A gap stays at least that wide, too, so that none is overlooked.
 */
export function rangePieces(
  ranges: readonly ScannedRange[],
  tip: number,
): { readonly from: number; readonly to: number; readonly pieces: readonly RangePiece[] } {
  const sorted = ranges.toSorted((one, other) => one.from_height - other.from_height);
  const from = sorted[0]?.from_height ?? 0;
  const to = Math.max(tip, sorted.at(-1)?.to_height ?? from);
  const count = to - from + 1;
  const place = (height: number): number => ((height - from) * barLength) / count;
  let after = -1;
  const pieces = sorted.map(({ from_height, to_height }) => {
    const start = Math.max(place(from_height), after + 1);
    const length = Math.max(place(to_height + 1) - start, 1);
    after = start + length;
    return { start, length };
  });
  return { from, to, pieces };
}

/** What was not read between the lowest height read and the tip, in words; empty where nothing is missing. */
export function gaps(ranges: readonly ScannedRange[], tip: number): readonly string[] {
  const sorted = ranges.toSorted((one, other) => one.from_height - other.from_height);
  const between = sorted.slice(1).flatMap(({ from_height }, index) => {
    const before = sorted[index]?.to_height ?? from_height;
    return from_height > before + 1 ? [heights(before + 1, from_height - 1)] : [];
  });
  const last = sorted.at(-1)?.to_height;
  return last !== undefined && last < tip ? [...between, heights(last + 1, tip)] : between;
}

function heights(from: number, to: number): string {
  return from === to ? String(from) : `${from} to ${to}`;
}
