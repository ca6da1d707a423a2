/** `Math.max` for two bigints. */
export function maxBigInt(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

/** `Math.min` for two bigints. */
export function minBigInt(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
