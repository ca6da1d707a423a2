/* Simple icons for coins and networks. None is a project's own logo. */

export type Mark = {
  /** Disc color, with a contrast of at least 3:1 to the white shape and to both backgrounds. */
  readonly color: string;
  /** Stroke path in a 32 by 32 box. */
  readonly path: string;
};

const shapes = {
  bars: "M9 11h10M9 16h14M9 21h10",
  steps: "M9 21h5v-5h5v-5h5",
  rhomb: "M16 8l7 8l-7 8l-7-8zM9 16h14",
  ring: "M16 9a7 7 0 1 0 0 14a7 7 0 0 0 0-14M16 15.5v1",
  lens: "M9 16c4-7 10-7 14 0c-4 7-10 7-14 0M16 15.5v1",
  wave: "M8 13c3-4 5 4 8 0s5 4 8 0M8 19c3-4 5 4 8 0s5 4 8 0",
  peak: "M8 22l8-13l8 13zM13 22l3-5l3 5",
  hexagon: "M16 8l7 4v8l-7 4l-7-4v-8z",
  cube: "M16 8l7 4v8l-7 4l-7-4v-8zM9 12l7 4l7-4M16 16v8",
  cross: "M10 10l12 12M22 10L10 22",
  links: "M13 12a4 4 0 1 0 0 8a4 4 0 0 0 0-8M19 12a4 4 0 1 0 0 8a4 4 0 0 0 0-8",
  target: "M16 8.5a7.5 7.5 0 1 0 0 15a7.5 7.5 0 0 0 0-15M16 13a3 3 0 1 0 0 6a3 3 0 0 0 0-6",
  fork: "M16 23v-8M16 15l-6-6M16 15l6-6",
  bolt: "M18 8l-7 9h6l-3 7",
  arcs: "M10 20a7 7 0 0 1 12 0M12.5 13a5 5 0 0 1 7 0",
  grid: "M11 11h4v4h-4zM17 17h4v4h-4zM17 11h4v4h-4zM11 17h4v4h-4z",
  slash: "M20 9l-8 14M9 16h14",
  kite: "M16 8l6 6l-6 10l-6-10zM10 14h12",
} as const;

const marks: Readonly<Record<string, Mark>> = {
  BTC: { color: "#b3600b", path: shapes.bars },
  BCH: { color: "#3f7d33", path: shapes.steps },
  LTC: { color: "#4a6a94", path: shapes.wave },
  DASH: { color: "#2168a8", path: shapes.slash },
  DOGE: { color: "#8a6a1f", path: shapes.cross },
  ZEC: { color: "#94680c", path: shapes.bolt },
  XMR: { color: "#a8501f", path: shapes.peak },
  XRP: { color: "#3a5566", path: shapes.lens },
  XLM: { color: "#44546a", path: shapes.arcs },
  ADA: { color: "#2b55a8", path: shapes.grid },
  TRX: { color: "#b3323f", path: shapes.fork },
  TON: { color: "#1e71a8", path: shapes.kite },
  ALGO: { color: "#4b4b5c", path: shapes.steps },
  ETH: { color: "#5562b8", path: shapes.rhomb },
  BNB: { color: "#8f6b05", path: shapes.grid },
  AVAX: { color: "#b63a3c", path: shapes.wave },
  ARB: { color: "#30608f", path: shapes.hexagon },
  OPT: { color: "#c0323b", path: shapes.ring },
  MATIC: { color: "#7546c2", path: shapes.cube },
  POL: { color: "#7546c2", path: shapes.cube },
  BASE: { color: "#2a55c8", path: shapes.bars },
  USDT: { color: "#197a64", path: shapes.links },
  USDC: { color: "#2b6cb0", path: shapes.target },
  DAI: { color: "#9a6a0a", path: shapes.bars },
  BUSD: { color: "#8f6b05", path: shapes.rhomb },
};

const fallbackColors = ["#6b4fa0", "#1f7a7a", "#a3456f", "#5b6b1e", "#8a4b2d", "#3c5f9e"];
const fallbackShapes = Object.values(shapes);

/** Returns the icon of a symbol. An unknown symbol gets a stable one derived from its letters. */
export function markOf(symbol: string): Mark {
  const known = Object.hasOwn(marks, symbol) ? marks[symbol] : undefined;
  if (known !== undefined) return known;
  const sum = Array.from(symbol).reduce(
    (hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 9_973,
    7,
  );
  return {
    color: fallbackColors[sum % fallbackColors.length] ?? "#44546a",
    path: fallbackShapes[sum % fallbackShapes.length] ?? shapes.ring,
  };
}

/** Networks whose symbol does not come first in their name. */
const networkSymbols: Readonly<Record<string, string>> = { "ETH-BASE": "BASE" };

/** Returns the symbol of a network: `BASE` for `ETH-BASE`, `BNB` for `BNB-BSC`. */
export function networkSymbol(chain: string): string {
  const own = Object.hasOwn(networkSymbols, chain) ? networkSymbols[chain] : undefined;
  return own ?? chain.split("-", 1)[0] ?? chain;
}
