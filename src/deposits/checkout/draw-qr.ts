import { encode } from "uqr";

/** Size of the cache. Drawing a code takes two milliseconds, and a page requests the same one repeatedly. */
const cachedMax = 2_000;

/**
 * Creates a function that draws a text as a QR code with error correction level M: rows of `0` and `1` (dark), without the quiet
 * zone. Caches the most recently used codes.
 */
export function createDrawQr(): (text: string) => readonly string[] {
  const cache = new Map<string, readonly string[]>();
  return (text) => {
    const known = cache.get(text);
    const rows = known ?? draw(text);
    // Reinserting moves the code to the end of the map, which evicts the least recently used one first.
    cache.delete(text);
    cache.set(text, rows);
    if (cache.size > cachedMax) {
      const [oldest] = cache.keys();
      if (oldest !== undefined) cache.delete(oldest);
    }
    return rows;
  };
}

function draw(text: string): readonly string[] {
  const { data } = encode(text, { ecc: "M", border: 0 });
  return data.map((row) => row.map((isDark) => (isDark ? "1" : "0")).join(""));
}
