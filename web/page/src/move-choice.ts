/** Returns the index that a navigation key moves to in a list of `count`, or null for other keys. `active` -1 means none. */
export function moveChoice(key: string, active: number, count: number): number | null {
  if (count === 0) return null;
  switch (key) {
    case "ArrowDown":
      return (active + 1) % count;
    case "ArrowUp":
      return active <= 0 ? count - 1 : active - 1;
    case "PageDown":
      return Math.min(count - 1, active + 5);
    case "PageUp":
      return Math.max(0, active - 5);
    default:
      return null;
  }
}
