/** `Math.max` and `Math.min` take no bigints. */
export function largerOf(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

/** The other of the two. */
export function smallerOf(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
