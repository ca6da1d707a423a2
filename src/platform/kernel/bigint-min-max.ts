/** `Math.max` for two bigints. */
export function maxBigInt(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** `Math.min` for two bigints. */
export function minBigInt(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
