import { encode } from "uqr";

/** A QR code: an SVG path of its dark modules, and the width and height of the code in modules with the quiet zone. */
export type QrModules = {
  readonly path: string;
  readonly size: number;
  readonly rows: readonly (readonly boolean[])[];
};

/** Encodes a text with the quiet zone of four modules that scanners need (ISO/IEC 18004). */
export function qrModules(value: string): QrModules {
  const { data: rows, size } = encode(value, { ecc: "M", border: 4 });
  const path = rows
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join("");
  return { path, size, rows };
}

/** The code as a file of its own, dark on white. It can be printed at any size. */
export function qrSvg(value: string): string {
  const { path, size } = qrModules(value);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>\n`;
}
