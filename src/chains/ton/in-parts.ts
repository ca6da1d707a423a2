/** Requests to a node at a time. */
const atOnce = 8;

/** Does something for each, in order, for several at a time. */
export async function inParts<Each, Result>(
  all: readonly Each[],
  make: (each: Each) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < all.length; start += atOnce)
    results.push(...(await Promise.all(all.slice(start, start + atOnce).map(make))));
  return results;
}
