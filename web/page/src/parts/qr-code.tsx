import type { VNode } from "preact";
import { qrPath, quietZone } from "../qr-path.ts";

/** Always dark on light: many wallets do not read a code the other way round. */
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
