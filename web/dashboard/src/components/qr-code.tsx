import { qrModules } from "./qr-modules.ts";

/** A QR code with the quiet zone that scanners need, dark on white in every theme. */
export function QrCode({ value, label }: { readonly value: string; readonly label: string }) {
  const { path, size } = qrModules(value);
  return (
    <svg
      className="qr-code"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <path d={path} fill="#000" />
    </svg>
  );
}
