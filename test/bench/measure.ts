/** The median: the middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? Number.NaN) + upper) / 2 : upper;
}

/** The quantile `share` (0 to 1). */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Runs baseline and product alternately, so that a slow machine slows both. Returns their medians. */
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

/** Measures the seconds that `work` takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}
