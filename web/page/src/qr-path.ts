/** Modules of light around the code: ISO/IEC 18004 asks for four. */
export const quietZone = 4;

/** SVG path of the dark modules of rows of `0` and `1`, one rectangle for each run. */
export function qrPath(rows: readonly string[]): string {
  return rows
    .flatMap((row, y) =>
      [...row.matchAll(/1+/g)].map(
        ({ index, 0: run }) =>
          `M${index + quietZone} ${y + quietZone}h${run.length}v1h-${run.length}z`,
      ),
    )
    .join("");
}
