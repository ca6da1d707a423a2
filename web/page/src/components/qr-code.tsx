import type { VNode } from "preact";
import { qrPath, quietZone } from "../qr-path.ts";

/** Dark on light in both color schemes: many wallets cannot read inverted codes. */
export function QrCode({
  rows,
  title,
}: {
  readonly rows: readonly string[];
  readonly title: string;
}): VNode {
  const size = rows.length + 2 * quietZone;
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-labelledby="qr-title">
      <title id="qr-title">{title}</title>
      <rect width={size} height={size} fill="#fff" />
      <path d={qrPath(rows)} fill="#000" shape-rendering="crispEdges" />
    </svg>
  );
}
