import type { VNode } from "preact";
import { markOf, networkSymbol } from "../coin-marks.ts";
import { symbolOf } from "../group-choices.ts";

/** A currency's icon, with its network's icon in the corner if the symbol does not imply the network. */
export function CoinMark({
  code,
  chain,
}: {
  readonly code: string;
  readonly chain: string;
}): VNode {
  const symbol = symbolOf(code);
  const { color, path } = markOf(symbol);
  const network = networkSymbol(chain);
  const badge = network === symbol ? null : markOf(network);
  return (
    <svg class="coin-mark" viewBox="0 0 36 36" aria-hidden="true">
      <circle cx="16" cy="16" r="16" fill={color} />
      <path d={path} stroke="#fff" />
      {badge !== null && (
        <g transform="translate(20.5 20.5) scale(.48)">
          <circle class="coin-mark-rim" cx="16" cy="16" r="19" />
          <circle cx="16" cy="16" r="16" fill={badge.color} />
          <path d={badge.path} stroke="#fff" />
        </g>
      )}
    </svg>
  );
}
