/** Light modules around the code, as required by ISO/IEC 18004. */
export const quietZone = 4;

/** Returns an SVG path of the dark modules in rows of `0` and `1`, one rectangle per run. */
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
