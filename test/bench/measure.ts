/** The middle one, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? Number.NaN) + upper) / 2 : upper;
}

/** The value below which `share` (0 to 1) of all values lie. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Floor and product take turns, so that a machine that slows down slows both. One median each. */
export async function sideBySide(
  rounds: number,
  floor: () => Promise<number>,
  product: () => Promise<number>,
): Promise<{ readonly floor: number; readonly product: number }> {
  const floors: number[] = [];
  const products: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    floors.push(await floor());
    products.push(await product());
  }
  return { floor: median(floors), product: median(products) };
}

/** Seconds that the work takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}
