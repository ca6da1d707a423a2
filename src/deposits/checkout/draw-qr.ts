import { encode } from "uqr";

/** Codes kept drawn: drawing one takes two milliseconds, and a page asks for the same one again and again. */
const keptMax = 2_000;

/**
 * Draws a text as a QR code of error correction level M: rows of `0` and `1` (dark), without the quiet zone. The codes
 * drawn last are kept.
 */
export function createDrawQr(): (text: string) => readonly string[] {
  const kept = new Map<string, readonly string[]>();
  return (text) => {
    const known = kept.get(text);
    const rows = known ?? draw(text);
    // Last used, last to go.
    kept.delete(text);
    kept.set(text, rows);
    if (kept.size > keptMax) {
      const [oldest] = kept.keys();
      if (oldest !== undefined) kept.delete(oldest);
    }
    return rows;
  };
}

function draw(text: string): readonly string[] {
  const { data } = encode(text, { ecc: "M", border: 0 });
  return data.map((row) => row.map((isDark) => (isDark ? "1" : "0")).join(""));
}
